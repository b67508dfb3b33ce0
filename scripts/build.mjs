import { buildWhenStale } from './build/build-when-stale.mjs'

await buildWhenStale()
