import './check-installation.mjs'
import { checks } from './test/checks.mjs'
import { printSum } from './test/print-sum.mjs'
import { createSteps, runCheck } from './test/run-steps.mjs'

/** Runs every check that reads files only. If one fails, the next ones still run. */
const steps = createSteps()
await steps.inTurn(Object.entries(checks).map(([name, check]) => [name, () => runCheck(...check)]))
printSum(steps.total)
