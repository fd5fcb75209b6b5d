# dpspin as a command in a container: see docs/how-to/run-in-a-container.md.
FROM python:3.11-slim AS build
COPY requirements/core.txt /source/requirements/core.txt
RUN python -m venv /opt/dpspin \
 && /opt/dpspin/bin/pip install --no-cache-dir --disable-pip-version-check --require-hashes -r /source/requirements/core.txt
COPY packages/dpspin /source/packages/dpspin
RUN /opt/dpspin/bin/pip install --no-cache-dir --disable-pip-version-check --no-deps --no-build-isolation /source/packages/dpspin

FROM python:3.11-slim
RUN useradd --uid 10001 --no-create-home --home-dir /work dpspin \
 && mkdir -p /records /ledger /work \
 && chown 10001 /ledger /work
COPY --from=build /opt/dpspin /opt/dpspin
ENV PATH=/opt/dpspin/bin:$PATH DPSPIN_LEDGER=/ledger/ledger.db
USER 10001
WORKDIR /work
VOLUME /ledger
ENTRYPOINT ["dpspin"]
CMD ["--help"]
