# Builds the image of Holdfast from this checkout: `docker build -t holdfast .`
# docs/deploy.md says how to run it. For other architectures: `docker buildx build --platform linux/amd64,linux/arm64 .`
# For a build that can't change, pin both images by their digests.

ARG NODE_VERSION=24.21.0
ARG DEBIAN=trixie

# In the architecture of the image: `npm ci` installs machine code for it (SQLite, argon2), with the hashes in package-lock.json.
FROM node:${NODE_VERSION}-${DEBIAN}-slim AS build
WORKDIR /src
COPY . .
RUN node scripts/bootstrap.mjs pack /tmp/packages
RUN mkdir -p /app/node_modules \
  && tar -xzf /tmp/packages/holdfast-[0-9]*.tgz -C /app --strip-components=1 \
  && cp -R node_modules/better-sqlite3 node_modules/@node-rs /app/node_modules/ \
  && rm -rf /app/node_modules/better-sqlite3/deps /app/node_modules/better-sqlite3/src \
  && chmod 755 /app/dist/main.js

# Without npm and what else comes with Node.
FROM debian:${DEBIAN}-slim
LABEL org.opencontainers.image.title="Holdfast" \
  org.opencontainers.image.description="Encrypted memory for software agents and the people who run them" \
  org.opencontainers.image.licenses="Apache-2.0"
COPY --from=build /usr/local/bin/node /usr/local/bin/node
COPY --from=build /app /app
# The user has a number, so that Kubernetes can see that it isn't root.
RUN ln -s /app/dist/main.js /usr/local/bin/holdfast \
  && mkdir --mode=700 /data \
  && chown 10001:10001 /data
# There is no folder for keys: without a key, the server would make one that is lost with the container.
# NODE_OPTIONS: see "Memory" in docs/self-hosting.md.
ENV NODE_ENV=production \
  NODE_OPTIONS=--max-semi-space-size=16 \
  HOLDFAST_HOST=0.0.0.0 \
  HOLDFAST_DATA_DIR=/data \
  HOLDFAST_KEY_DIR=/keys
USER 10001:10001
WORKDIR /data
VOLUME /data
EXPOSE 8420
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.HOLDFAST_PORT || 8420}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Both replace their process, so signals reach the server.
ENTRYPOINT ["holdfast"]
CMD ["serve"]
