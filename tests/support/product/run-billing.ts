import { spawn } from 'node:child_process'
import { once } from 'node:events'

export interface BillingRun {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface BillingSettings {
  readonly DATA_DIR: string
  /** Without it: the embedded server in DATA_DIR. */
  readonly DATABASE_URL?: string
  readonly [setting: string]: string | undefined
}

/** Runs `npm run billing -- …args` as a separate process. */
export async function runBilling(
  settings: BillingSettings,
  ...args: readonly string[]
): Promise<BillingRun> {
  const child = startBilling(settings, ...args)
  const [stdout, stderr] = [textOf(child.stdout), textOf(child.stderr)]
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, stdout: stdout(), stderr: stderr() }
}

/** As `runBilling`, for a test that ends the process itself. */
export function startBilling(settings: BillingSettings, ...args: readonly string[]) {
  const { PATH, HOME, TMPDIR } = process.env
  return spawn(process.execPath, ['scripts/billing.mjs', ...args], {
    env: { PATH, HOME, TMPDIR, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

function textOf(stream: NodeJS.ReadableStream): () => string {
  const chunks: Buffer[] = []
  stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  return () => Buffer.concat(chunks).toString('utf8')
}
