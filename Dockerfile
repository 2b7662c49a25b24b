# One image for web and workers. BASE is any Debian or Ubuntu with Python 3.11 to 3.13.
ARG BASE=python:3.12-slim

FROM ${BASE} AS build
RUN python3 -m venv /opt/sudokuq
WORKDIR /src
COPY pyproject.toml constraints.txt README.md LICENSE ./
COPY solver solver
COPY sudokuq sudokuq
COPY worker worker
COPY web web
RUN /opt/sudokuq/bin/python -m pip install --no-cache-dir --constraint constraints.txt '.[service,parquet,pdf]'
# The generator of the documentation isn't part of the image, only the pages that it builds.
COPY zensical.toml ./
COPY docs docs
COPY docs_build docs_build
RUN /opt/sudokuq/bin/python -m pip install --no-cache-dir --constraint constraints.txt --target /tmp/generator zensical \
    && PYTHONPATH=/tmp/generator /opt/sudokuq/bin/python -m docs_build \
    && /opt/sudokuq/bin/python -m pip install --no-cache-dir --no-deps --force-reinstall .

FROM ${BASE}
COPY --from=build /opt/sudokuq /opt/sudokuq
RUN useradd --system --uid 10001 --home-dir /nonexistent sudokuq
# Engines for levels of processors, all that this machine can run: x86-64-v2 to -v4, or arm64.
ARG LEVELS=""
RUN /opt/sudokuq/bin/python -m worker.container_image compile /opt/sudokuq/compiled ${LEVELS}
ENV PATH=/opt/sudokuq/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    SUDOKUQ_HOST=0.0.0.0 \
    # The root file system is read-only: what is compiled later, and links to the engines, go
    # where a tmpfs is mounted.
    NUMBA_CACHE_DIR=/tmp/numba
USER sudokuq
WORKDIR /tmp
EXPOSE 8000
ENTRYPOINT ["python3", "-m", "worker.container_image", "run", "/opt/sudokuq/compiled", "sudokuq"]
CMD ["web"]
