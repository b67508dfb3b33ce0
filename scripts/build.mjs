import './check-installation.mjs'
import { buildWhenStale } from './build/build-when-stale.mjs'

await buildWhenStale()
