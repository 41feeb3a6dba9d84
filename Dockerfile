# The service alone: sources, bundle, production packages. Node runs the TypeScript as it is; there is nothing to compile.
#   docker build -t creator-post-lookup .
#   docker run --read-only -p 8080:8080 -v lookup-data:/data creator-post-lookup
# For releases pin the base by digest: node:24-bookworm-slim@sha256:… (docker buildx imagetools inspect node:24-bookworm-slim).
ARG NODE_IMAGE=node:24-bookworm-slim

FROM ${NODE_IMAGE} AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The optional package is a Node for machines whose own is older; the image has the right one.
RUN npm ci --omit=dev --omit=optional --ignore-scripts

FROM ${NODE_IMAGE}
WORKDIR /app
COPY --from=packages /app/node_modules ./node_modules
RUN mkdir -p /data node_modules/.cache && chown node:node /data node_modules/.cache
COPY package.json ./
COPY generated ./generated
COPY src ./src
ENV NODE_ENV=production ENVIRONMENT=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data
USER node
# Compiles the code once, here: a container that is read-only cannot keep what its start has compiled. Node keeps it for each user apart.
RUN npm start --silent -- --help > /dev/null
# Only /data is written to, and only by the embedded store: with DATABASE_URL nothing is.
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=5s --timeout=3s --start-period=20s --retries=2 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Node itself, not npm: signals have to reach the process that drains.
CMD ["node", "--expose-gc", "--max-semi-space-size=4", "--heap-growing-percent=20", "--no-concurrent-recompilation", "src/launch.js"]
