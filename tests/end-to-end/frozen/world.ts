import { execFile, fork } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { z } from 'zod'
import { descendantsOf, descendantWith } from '../../support/machine/descendants.ts'
import { freePort } from '../../support/machine/free-port.ts'
import { createClient, profile } from '../../support/product/client.ts'
import { startProduct, type RunningProduct } from '../../support/product/run-product.ts'
import type { Dependency } from './dependency.ts'
import { until } from '../../support/machine/until.ts'

const mail = z.object({
  messageId: z.string(),
  subject: z.string(),
  text: z.string(),
  to: z.string(),
})

/** The product as `npm start` runs it, with a mail server in a process of its own. */
export interface World {
  readonly product: RunningProduct
  readonly metricsUrl: string
  /** In the order of their arrival. */
  readonly mails: readonly Readonly<z.infer<typeof mail>>[]
  /** The process of the product that answers requests. */
  readonly pid: number
  freeze(dependency: Dependency): Promise<void>
  thaw(dependency: Dependency): Promise<void>
  /** A client with the session of a new customer. */
  customer(email: string): Promise<ReturnType<typeof createClient>>
  close(): Promise<void>
}

export async function startWorld(): Promise<World> {
  const mails: z.infer<typeof mail>[] = []
  const program = new URL('../../support/product/mail-server-process.ts', import.meta.url)
  const mailServer = fork(fileURLToPath(program), {
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const hello: unknown = await once(mailServer, 'message')
  const [{ port }] = z
    .tuple([z.object({ port: z.int() })])
    .rest(z.unknown())
    .parse(hello)
  mailServer.on('message', (message) => mails.push(mail.parse(message)))
  const metricsPort = await freePort()
  const product = await startProduct({
    env: {
      SMTP_URL: `smtp://127.0.0.1:${port}`,
      METRICS_PORT: String(metricsPort),
      TRUST_PROXY: '1',
    },
  }).catch((error: unknown) => {
    mailServer.kill('SIGKILL')
    throw error
  })
  const sandbox = descendantWith(product.pid, 'sandbox/main')

  function processesOf(dependency: Dependency): readonly number[] {
    switch (dependency) {
      case 'PostgreSQL': {
        const file = join(product.dataDir, 'postgres/cluster/postmaster.pid')
        const postmaster = Number(readFileSync(file, 'utf8').split('\n')[0])
        // The postmaster first: it could start another process.
        return [postmaster, ...descendantsOf(postmaster)]
      }
      case 'the mail server':
        return [mailServer.pid ?? 0]
      case 'the payment provider':
        return [sandbox]
      case 'EventStoreDB':
        return []
      default:
        return dependency satisfies never
    }
  }

  async function signal(dependency: Dependency, name: 'SIGSTOP' | 'SIGCONT'): Promise<void> {
    if (dependency === 'EventStoreDB') {
      const command =
        name === 'SIGSTOP'
          ? process.env.EVENTSTORE_FREEZE_COMMAND
          : process.env.EVENTSTORE_THAW_COMMAND
      await promisify(execFile)('sh', ['-c', command ?? 'false'])
      return
    }
    for (const pid of processesOf(dependency)) process.kill(pid, name)
  }

  return {
    product,
    metricsUrl: `http://127.0.0.1:${metricsPort}/metrics`,
    mails,
    pid: product.pid,
    freeze: (dependency) => signal(dependency, 'SIGSTOP'),
    thaw: (dependency) => signal(dependency, 'SIGCONT'),
    async customer(email) {
      const client = createClient(product, { 'x-forwarded-for': networkOf(email) })
      await client.post('/api/auth/check-user', { email })
      const { body } = await client.post('/api/auth/complete-signup', { ...profile, email })
      const asked = await client.post('/api/auth/request-otp', { email })
      const sent = await until(() => mails.find(({ to }) => to === email), 'no mail came', 60)
      const [otp] = /\b\d{6}\b/.exec(sent.text) ?? []
      const userId = String(body?.['userId'])
      const { body: verified } = await client.post('/api/auth/verify-otp', { userId, otp })
      if (verified?.['isVerified'] !== true)
        throw new Error(`The sign-in failed: ${JSON.stringify([asked.body, verified])}`)
      return client
    },
    async close() {
      // A process that is stopped does not end.
      for (const dependency of ['PostgreSQL', 'the payment provider'] as const)
        await signal(dependency, 'SIGCONT').catch(() => undefined)
      mailServer.kill('SIGKILL')
      await product.stop()
    },
  }
}

/** Each visitor has another network, because the rate limits count by network. */
export function networkOf(visitor: string | number): string {
  let hash = 7
  for (const letter of String(visitor)) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) % 60_000
  return `10.1.${hash >> 8}.${hash & 255}`
}

/** Resident memory in MB, and open files and sockets, of a process. */
export function sizeOf(pid: number): { readonly rssMb: number; readonly files: number } {
  const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return {
    rssMb: Math.round(Number(kilobytes) / 1_000),
    files: readdirSync(`/proc/${pid}/fd`).length,
  }
}
