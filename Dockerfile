# A node of Sluice: docker build -t sluice . (docs/operate/README.md)
FROM node:24.21.0-bookworm-slim AS made
WORKDIR /sluice
COPY package.json package-lock.json ./
COPY bin/image.sh bin/
RUN bin/image.sh install
COPY . .
RUN bin/image.sh build
RUN bin/image.sh trim

FROM node:24.21.0-bookworm-slim
ENV NODE_ENV=production APP_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/var/lib/sluice
# Where the register of erasures lies: a volume takes its owner from here.
RUN mkdir -p /var/lib/sluice && chown node:node /var/lib/sluice
WORKDIR /sluice
COPY --from=made /sluice .
USER node
VOLUME /var/lib/sluice
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s CMD ["bin/image.sh", "health"]
# Not by npm: the node itself hears the signal to stop.
CMD ["node", "server/main.ts"]
