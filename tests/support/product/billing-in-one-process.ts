import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { afterAll } from '@jest/globals'
import type { BillingRun, BillingSettings } from './run-billing.ts'

/**
 * Runs `npm run billing -- …args` as `runBilling` does, but all commands of a test file in one
 * process, one after the other: a process per command takes 0.7 s of processor time. For a fact
 * about the process itself, such as a signal or its end, use `runBilling`.
 */
export function billingInOneProcess() {
  let child: ChildProcess | undefined
  let last: Promise<unknown> = Promise.resolve()
  afterAll(() => void child?.kill())

  async function run(settings: BillingSettings, args: readonly string[]): Promise<BillingRun> {
    child ??= startProcess()
    const { PATH, HOME, TMPDIR } = process.env
    child.send({ args, env: defined({ PATH, HOME, TMPDIR, ...settings }) })
    const [answer] = (await once(child, 'message')) as [BillingRun & { failure: string | null }]
    if (answer.failure !== null) throw new Error(answer.failure)
    return { code: answer.code, stdout: answer.stdout, stderr: answer.stderr }
  }

  return function runBilling(
    settings: BillingSettings,
    ...args: readonly string[]
  ): Promise<BillingRun> {
    const running = last.then(() => run(settings, args))
    last = running.catch(() => undefined)
    return running
  }
}

function startProcess(): ChildProcess {
  const child = fork('tests/support/product/billing-process.mjs', {
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  // A wait for an answer rejects by this error.
  child.once('exit', (code) =>
    child.emit('error', new Error(`The process of the commands ended with code ${String(code)}.`)),
  )
  child.on('error', () => undefined)
  return child
}

const defined = (settings: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined))
