"""A bill that is made: the hours of many nodes for a month in the FOCUS form, written by DuckDB as Parquet or CSV."""

from __future__ import annotations

from pathlib import Path

import duckdb

TYPES = ("m7i.large", "m7i.xlarge", "c7i.2xlarge", "r7i.4xlarge", "m6g.large", "c7g.xlarge", "c6a.4xlarge", "m5.2xlarge")
ON_DEMAND = (0.1008, 0.2016, 0.357, 1.0584, 0.077, 0.145, 0.612, 0.384)
HOURS_OF_OCTOBER = 744
DISCOUNTED, COMMITTED, SPOT = "0.9", "0.65", "0.35"
"""What is paid of the list price."""


def write_bill(path: Path, nodes: int = 8000, hours: int = HOURS_OF_OCTOBER) -> int:
    """Write the bill of some nodes and return its rows. A node in ten is spot, three in ten are committed."""
    prices = " ".join(f"WHEN {number} THEN {price}" for number, price in enumerate(ON_DEMAND))
    types = " ".join(f"WHEN {number} THEN '{name}'" for number, name in enumerate(TYPES))
    share = f"CASE category WHEN 'Dynamic' THEN {SPOT} WHEN 'Committed' THEN {COMMITTED} ELSE {DISCOUNTED} END"
    query = f"""
        WITH nodes AS (
            SELECT node, CASE node % {len(TYPES)} {types} END AS type, CASE node % {len(TYPES)} {prices} END AS listed,
                'us-west-2' || substr('abc', 1 + node % 3, 1) AS zone, 'pool-' || node % 10 AS pool,
                CASE WHEN node % 10 = 0 THEN 'Dynamic' WHEN node % 10 < 4 THEN 'Committed' ELSE 'Standard' END AS category
            FROM range({nodes}) AS of(node)
        )
        SELECT '123456789012' AS BillingAccountId, 'USD' AS BillingCurrency,
            TIMESTAMP '2026-10-01' AS BillingPeriodStart, TIMESTAMP '2026-11-01' AS BillingPeriodEnd,
            TIMESTAMP '2026-10-01' + INTERVAL 1 HOUR * hour AS ChargePeriodStart,
            TIMESTAMP '2026-10-01' + INTERVAL 1 HOUR * (hour + 1) AS ChargePeriodEnd,
            'Usage' AS ChargeCategory, NULL::VARCHAR AS ChargeClass, category AS PricingCategory,
            CASE category WHEN 'Committed' THEN 'Used' END AS CommitmentDiscountStatus,
            'Amazon Elastic Compute Cloud' AS ServiceName, 'Compute' AS ServiceCategory, 'AWS' AS ProviderName,
            'us-west-2' AS RegionId, zone AS AvailabilityZone, 'Hrs' AS PricingUnit, 1.0::DOUBLE AS PricingQuantity,
            listed::DOUBLE AS ListCost, (listed * {share})::DOUBLE AS EffectiveCost,
            'arn:aws:ec2:us-west-2:123456789012:instance/i-' || printf('%017x', node) AS ResourceId,
            '{{"InstanceType": "' || type || '", "OperatingSystem": "Linux"}}' AS SkuPriceDetails,
            '{{"karpenter.sh/nodepool": "' || pool || '"}}' AS Tags,
            'USW2-' || CASE category WHEN 'Dynamic' THEN 'SpotUsage:' ELSE 'BoxUsage:' END || type AS x_UsageType,
            'AmazonEC2' AS x_ServiceCode
        FROM nodes, range({hours}) AS of(hour)"""  # noqa: S608
    form = "CSV, HEADER" if ".csv" in path.name else "PARQUET"
    with duckdb.connect() as connection:
        connection.execute("SET preserve_insertion_order = false")
        connection.execute(f"COPY ({query}) TO '{path}' (FORMAT {form})")
    return nodes * hours
