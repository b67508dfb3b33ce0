import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { makeSecrets } from '../billing/make-secrets.ts'

const run = promisify(execFile)

/** A Compose project with its own name, ports, secrets and image, beside a running product. */
export interface World {
  readonly url: string
  readonly sandboxUrl: string
  readonly inboxUrl: string
  readonly project: string
  /** Holds the secrets and the backup. Only its owner may enter it. */
  readonly directory: string
  /** The number of `api` and of `projector` containers at the next `up`. */
  replicas: number
  /** Runs `docker`, and returns its standard output. @throws an error with its standard error */
  docker(...args: readonly string[]): Promise<string>
  /** Runs `docker compose` in the project. */
  compose(...args: readonly string[]): Promise<string>
  /** The ids of the service's containers. */
  containersOf(service: string): Promise<readonly string[]>
  /** Removes the containers, volumes and networks, the image's name and the directory. */
  remove(): Promise<void>
}

const image = 'agile-receivables:test-containers'
/** Longer than a build. */
const commandMs = 15 * 60_000
const removalMs = 120_000

/** `signal` ends the command that runs, except `remove`. */
export async function createWorld(signal: AbortSignal): Promise<World> {
  const directory = await mkdtemp(join(tmpdir(), 'agile-receivables-containers-'))
  const secrets = join(directory, 'secrets')
  const { made } = await makeSecrets(secrets, { cluster: false })
  const [port = 0, sandboxPort = 0, inboxPort = 0] = await freePorts(3)
  const url = `http://localhost:${port}`
  const override = join(directory, 'override.yml')
  await writeFile(override, overrideOf({ port, sandboxPort, inboxPort, url, secrets, made }))
  // An empty file instead of the repository's .env, which may belong to a running product.
  const noEnv = join(directory, 'none.env')
  await writeFile(noEnv, '')
  const project = `agile-receivables-test-${process.pid}`

  async function dockerUntil(end: AbortSignal, args: readonly string[]): Promise<string> {
    const { stdout } = await run('docker', args, {
      signal: end,
      timeout: commandMs,
      maxBuffer: 256 * 1024 * 1024,
      env: {
        ...withoutCompose(process.env),
        APP_IMAGE: image,
        API_REPLICAS: String(world.replicas),
        PROJECTOR_REPLICAS: String(world.replicas),
      },
    })
    return stdout.trim()
  }

  const docker = (...args: readonly string[]) => dockerUntil(signal, args)
  const files = ['-f', 'docker-compose.yml', '-f', override, '--env-file', noEnv]
  const compose = (...args: readonly string[]) =>
    docker('compose', '--progress', 'quiet', '-p', project, ...files, ...args)
  const world: World = {
    url,
    sandboxUrl: `http://localhost:${sandboxPort}`,
    inboxUrl: `http://localhost:${inboxPort}`,
    project,
    directory,
    replicas: 1,
    docker,
    compose,
    containersOf: async (service) =>
      (await compose('ps', '--quiet', service)).split('\n').filter((id) => id !== ''),
    // `signal` may have ended the run, so the removal does not use it.
    async remove() {
      const end = AbortSignal.timeout(removalMs)
      const down = ['compose', '-p', project, 'down', '--volumes', '--remove-orphans', '-t', '5']
      await dockerUntil(end, down).catch(() => undefined)
      await dockerUntil(end, ['rmi', image]).catch(() => undefined)
      await rm(directory, { recursive: true, force: true })
    },
  }
  return world
}

/** The settings of a shell may select other files, profiles or another image. */
function withoutCompose(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('COMPOSE_')))
}

interface Places {
  readonly port: number
  readonly sandboxPort: number
  readonly inboxPort: number
  readonly url: string
  readonly secrets: string
  /** The names of the secrets' files. */
  readonly made: readonly string[]
}

function overrideOf({ port, sandboxPort, inboxPort, url, secrets, made }: Places): string {
  const product = (role: string) => `  ${role}: { environment: { PUBLIC_URL: "${url}" } }`
  return `services:
  proxy: { ports: !override ["127.0.0.1:${port}:3000"] }
  mail-inbox: { ports: !override ["127.0.0.1:${inboxPort}:8025"] }
  sandbox:
    ports: !override ["127.0.0.1:${sandboxPort}:3001"]
    environment: { PUBLIC_URL: "${url}", SANDBOX_PUBLIC_URL: "http://localhost:${sandboxPort}" }
${['api', 'projector', 'reactor'].map(product).join('\n')}
secrets:
${made.map((name) => `  ${name}: { file: ${JSON.stringify(join(secrets, name))} }`).join('\n')}
`
}

async function freePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer())
  const ports = await Promise.all(
    servers.map(
      (server) =>
        new Promise<number>((resolve, reject) => {
          server.once('error', reject)
          server.listen(0, '127.0.0.1', () => {
            const address = server.address()
            resolve(typeof address === 'object' && address !== null ? address.port : 0)
          })
        }),
    ),
  )
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return ports
}
