# Cutlist for pipelines: plans, gates and checks on files, and previews of stacks on EKS and AKS.
#   docker build -t cutlist . && docker run --rm -v "$PWD:/work:ro" cutlist plan -f deploy/ --region us-west-2
# The digest of the image's index as public repositories recorded it in August 2026.
FROM python:3.12-slim@sha256:78387bc3881b8273120a12ebe6c1ab22b018ccc2c9adf565ae1ac9b536e184ea AS build
WORKDIR /source
COPY tools/integrations/requirements.txt tools/integrations/
RUN python -m venv /opt/cutlist && \
    /opt/cutlist/bin/python -m pip install --no-cache-dir --require-hashes --only-binary :all: -r tools/integrations/requirements.txt
COPY . .
RUN /opt/cutlist/bin/python -m pip install --no-cache-dir --no-deps --no-build-isolation . && \
    /opt/cutlist/bin/python -m pip uninstall --yes hatchling trove-classifiers pip

FROM python:3.12-slim@sha256:78387bc3881b8273120a12ebe6c1ab22b018ccc2c9adf565ae1ac9b536e184ea
COPY --from=build /opt/cutlist /opt/cutlist
ENV PATH=/opt/cutlist/bin:$PATH
RUN useradd --uid 65532 --no-create-home --shell /usr/sbin/nologin cutlist
USER 65532:65532
WORKDIR /work
ENTRYPOINT ["cutlist"]
CMD ["--help"]
