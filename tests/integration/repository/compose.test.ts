import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { plans, priceSettingOf } from '#contracts/plans'
import { readConfig as readSandboxConfig, sandboxSettingNames } from '#services/sandbox/config'
import { readConfig } from '#services/settings/read-config'
import { secretSettings, settingNames } from '#services/settings/settings'
import { withSettingsFromFiles } from '#services/settings/settings-from-files'
import { makeSecrets } from '../../../scripts/billing/make-secrets.ts'
import { checkContainers, composeProjects } from '../../../scripts/compose/check-containers.ts'
import { mergeComposeFiles } from '../../../scripts/compose/merge-compose-files.ts'
import { readComposeFile, type JsonObject } from '../../../scripts/compose/read-compose-file.ts'

const root = resolve('.')
const known = { product: settingNames, secrets: secretSettings, sandbox: sandboxSettingNames }
const textOf = (file: string) => readFileSync(join(root, file), 'utf8')

/**
 * A mistake: the changed file, its text before and after, and the problem that the check reports.
 */
const breaks: readonly (readonly [
  fact: string,
  file: string,
  from: string,
  to: string,
  problem: RegExp,
])[] = [
  [
    'a key that Compose does not know',
    'docker-compose.yml',
    '    shm_size: 256m',
    '    shm: 256m',
    /docker-compose\.yml: services\.postgres .*\('shm'\)/,
  ],
  [
    'a value of the wrong type',
    'docker-compose.yml',
    '    read_only: true\n    tmpfs: [/tmp, /config]',
    '    read_only: [true]\n    tmpfs: [/tmp, /config]',
    /services\.proxy\.read_only must be boolean/,
  ],
  [
    'a key that occurs twice',
    'docker-compose.yml',
    '    shm_size: 256m',
    '    shm_size: 256m\n    shm_size: 1g',
    /Map keys must be unique/,
  ],
  [
    'an anchor that does not exist',
    'docker-compose.yml',
    'logging: *logging',
    'logging: *logs',
    /Unresolved alias.*logs/,
  ],
  [
    'an image without a version',
    'docker-compose.yml',
    'caddy:2.11.4-alpine',
    'caddy:latest',
    /services\.proxy: the image 'caddy:latest' is not pinned/,
  ],
  [
    'an image that two services build',
    'docker-compose.yml',
    '  projector:\n    <<: *app\n',
    '  projector:\n    <<: *app\n    build: .\n',
    /services: one service must build the product's image, not api, projector/,
  ],
  [
    'an image that no service builds',
    'docker-compose.yml',
    '    build: .\n',
    '',
    /services: one service must build the product's image, not none/,
  ],
  [
    'a service that would pull the image that another one builds',
    'docker-compose.yml',
    '  pull_policy: never\n',
    '',
    /services\.sandbox: pull_policy must be never/,
  ],
  [
    'a product container whose file system is writable',
    'docker-compose.yml',
    '  read_only: true\n  tmpfs: [/tmp]\n',
    '  tmpfs: [/tmp]\n',
    /services\.projector: read_only must be true/,
  ],
  [
    'a product container that runs as root',
    'docker-compose.yml',
    'user: "1000:1000"\n  read_only',
    'user: "0:0"\n  read_only',
    /services\.api: user must be set, and not be root/,
  ],
  [
    'a stop_grace_period that is too short to finish requests',
    'docker-compose.yml',
    'stop_grace_period: 30s',
    'stop_grace_period: 10s',
    /services\.api: stop_grace_period must be longer/,
  ],
  [
    'a container that keeps its capabilities',
    'docker-compose.yml',
    '  cap_drop: [ALL]\n  security_opt',
    '  security_opt',
    /services\.api: cap_drop must be \[ALL\]/,
  ],
  [
    'an init process that cannot stop its service',
    'docker-compose.yml',
    '    init: false\n',
    '',
    /services\.postgres: init must be false/,
  ],
  [
    'a container log without a size limit',
    'docker-compose.yml',
    'options: { max-size: 10m, max-file: "5" }',
    'options: { max-file: "5" }',
    /services\.api: logging must have a max-size/,
  ],
  [
    'a secret in the environment',
    'docker-compose.yml',
    'MASTER_KEY_FILE: /run/secrets/master_key',
    'MASTER_KEY: abc',
    /services\.api: environment\.MASTER_KEY holds a secret/,
  ],
  [
    'a password within an address',
    'docker-compose.yml',
    'smtp://mail-inbox:1025',
    'smtp://me:pass@mail-inbox:1025',
    /environment\.SMTP_URL holds a secret/,
  ],
  [
    'a setting that the product does not know',
    'docker-compose.yml',
    '  TRUST_PROXY: "1"',
    '  TRUST_PROXIES: "1"',
    /services\.api: environment\.TRUST_PROXIES is no setting of the product/,
  ],
  [
    'a _FILE setting for a setting that is no secret',
    'docker-compose.yml',
    '  TRUST_PROXY: "1"',
    '  TRUST_PROXY_FILE: /tmp/x',
    /environment\.TRUST_PROXY_FILE is no setting/,
  ],
  [
    'a setting that the sandbox does not know',
    'docker-compose.yml',
    'SANDBOX_PUBLIC_URL:',
    'SANDBOX_ADDRESS:',
    /services\.sandbox: environment\.SANDBOX_ADDRESS is no setting of the sandbox/,
  ],
  [
    'a sandbox that other containers cannot reach',
    'docker-compose.yml',
    '      SANDBOX_HOST: 0.0.0.0\n',
    '',
    /services\.sandbox: environment\.SANDBOX_HOST must be set/,
  ],
  [
    'a sandbox that refuses the name that other containers use',
    'docker-compose.yml',
    '      SANDBOX_URL: http://sandbox:3001\n',
    '',
    /services\.sandbox: environment\.SANDBOX_URL must be set/,
  ],
  [
    'a secret that a setting reads and the service does not have',
    'docker-compose.yml',
    '    - audit_key\n',
    '',
    /services\.api: The service reads \/run\/secrets\/audit_key, but does not have the secret audit_key/,
  ],
  [
    'a secret that is not declared',
    'docker-compose.yml',
    '  audit_key: { file: ./secrets/audit_key }\n',
    '',
    /secrets\.audit_key is used and not declared/,
  ],
  [
    'a volume that is not declared',
    'docker-compose.yml',
    '  proxy-data: {}\n',
    '',
    /volumes\.proxy-data is used and not declared/,
  ],
  [
    'a volume that no service uses',
    'docker-compose.yml',
    '  proxy-data: {}\n',
    '  proxy-data: {}\n  old: {}\n',
    /volumes\.old is declared and not used/,
  ],
  [
    'a network that is not declared',
    'docker-compose.yml',
    '    networks: [edge]\n    volumes',
    '    networks: [front]\n    volumes',
    /networks\.front is used and not declared/,
  ],
  [
    'a service that depends on a service that does not exist',
    'docker-compose.yml',
    'depends_on: [api]',
    'depends_on: [app]',
    /services\.proxy: depends_on names app, which is no service/,
  ],
  [
    'a service that requires a service whose profile is off',
    'docker-compose.yml',
    'eventstore-node1: { condition: service_healthy, required: false }',
    'eventstore-node1: { condition: service_healthy }',
    /services\.api: depends_on eventstore-node1 must be 'required: false'/,
  ],
  [
    'inline content for a read-only service',
    'docker-compose.yml',
    'caddyfile: { file: ./scripts/compose/Caddyfile }',
    'caddyfile: { content: ":3000" }',
    /services\.proxy: configs\.caddyfile has inline content, and the service is read-only: use a file/,
  ],
  [
    'a configuration file that does not exist',
    'docker-compose.yml',
    './scripts/compose/Caddyfile',
    './scripts/compose/Caddy',
    /configs\.caddyfile: there is no file \.\/scripts\/compose\/Caddy/,
  ],
  [
    'metrics that a scraper cannot reach',
    'docker-compose.yml',
    '    networks: [data, metrics]',
    '    networks: [data]',
    /services\.projector: METRICS_PORT is set, so networks must have metrics/,
  ],
  [
    'metrics with an open network',
    'docker-compose.yml',
    '  metrics:\n    internal: true',
    '  metrics: {}',
    /services\.api: the network metrics must be internal/,
  ],
  [
    'a published port of the metrics',
    'docker-compose.yml',
    '  reactor:\n    <<: *app\n',
    '  reactor:\n    <<: *app\n    ports: ["9464:9464"]\n',
    /services\.reactor: the port of the metrics is published/,
  ],
  [
    'a service on the network of the metrics that is not the product',
    'docker-compose.yml',
    '    networks: [edge]\n    volumes: ["proxy-data:/data"]',
    '    networks: [edge, metrics]\n    volumes: ["proxy-data:/data"]',
    /services\.proxy: only the product and a scraper belong on the network metrics/,
  ],
  [
    'a published port of the database',
    'docker-compose.yml',
    '    shm_size: 256m',
    '    shm_size: 256m\n    ports: ["5432:5432"]',
    /services\.postgres: ports are published/,
  ],
  [
    'a setting of production that the product does not know',
    'docker-compose.production.yml',
    '  MAIL_FROM:',
    '  MAIL_SENDER:',
    /docker-compose\.production\.yml: services\.api: environment\.MAIL_SENDER is no setting/,
  ],
  [
    'a YAML tag that the check does not know',
    'docker-compose.production.yml',
    '!override',
    '!reset',
    /services\.proxy\.ports has the tag !reset/,
  ],
  [
    'a COPY from a build stage that does not exist',
    'Dockerfile',
    'COPY --from=packages',
    'COPY --from=package',
    /Dockerfile: COPY --from=package: there is no earlier stage/,
  ],
  [
    'a COPY of a folder that does not exist',
    'Dockerfile',
    'COPY contracts contracts',
    'COPY contract contracts',
    /Dockerfile: COPY contract: there is no such file/,
  ],
  [
    'a COPY of a folder that .dockerignore excludes',
    '.dockerignore',
    '!services\n',
    '',
    /Dockerfile: COPY services: \.dockerignore excludes it/,
  ],
  [
    'a base image without a full version',
    'Dockerfile',
    'node:20.20.2-bookworm-slim',
    'node:20',
    /'node:20' is neither an earlier stage nor pinned/,
  ],
  [
    'an image that runs as root',
    'Dockerfile',
    'USER node\n',
    '',
    /Dockerfile: The image runs as root/,
  ],
  [
    'a start command without a source file',
    'Dockerfile',
    'dist/services/main.js',
    'dist/services/start.js',
    /its source services\/start\.ts does not exist/,
  ],
  [
    'a log of the proxy that keeps queries',
    'scripts/compose/Caddyfile',
    '\tlog errors {\n\t\timport private\n',
    '\tlog errors {\n',
    /Caddyfile: log errors must import private/,
  ],
  [
    'a proxy that logs with its defaults',
    'scripts/compose/Caddyfile',
    'log default {',
    'log other {',
    /Caddyfile: log default must be configured/,
  ],
  [
    'a filter that keeps the headers of a request',
    'scripts/compose/Caddyfile',
    'request>headers delete',
    'request>headers>Cookie delete',
    /Caddyfile: the snippet \(private\) must remove the query, the token after/,
  ],
  [
    'a filter that keeps the token of a client portal',
    'scripts/compose/Caddyfile',
    '(/pay/)[^/?]*|',
    '',
    /Caddyfile: the snippet \(private\) must remove the query, the token after/,
  ],
  [
    'a proxy that waits long for a container that is gone',
    'scripts/compose/Caddyfile',
    'dial_timeout 300ms',
    'dial_timeout 3s',
    /Caddyfile: reverse_proxy needs a dial_timeout below 1 s/,
  ],
]

describe('the check of the container files', () => {
  it('finds no mistake in the files of the repository', () => {
    expect(checkContainers(root, known)).toEqual([])
  })

  it.each(breaks)('reports %s', (_fact, file, from, to, problem) => {
    const broken = textOf(file).replace(from, to)
    expect(broken).not.toBe(textOf(file))
    const problems = checkContainers(root, known, (name) => (name === file ? broken : textOf(name)))
    expect(problems.join('\n')).toMatch(problem)
  })

  it('reports a setting that the product has renamed', () => {
    const renamed = settingNames.map((name) => (name === 'TRUST_PROXY' ? 'BEHIND_PROXY' : name))
    expect(checkContainers(root, { ...known, product: renamed }).join('\n')).toMatch(
      /environment\.TRUST_PROXY is no setting of the product/,
    )
  })
})

describe('the environment of the containers', () => {
  let directory: string
  beforeAll(async () => {
    directory = join(await mkdtemp(join(tmpdir(), 'compose-')), 'secrets')
    await makeSecrets(directory, { cluster: false })
    for (const [name, secret] of Object.entries({
      stripe_secret_key: 'sk_test_1',
      stripe_webhook_secret: 'whsec_1',
      stripe_connect_webhook_secret: 'whsec_2',
      smtp_url: 'smtp://a:b@mail.example:587',
      twilio_auth_token: 'token',
    })) {
      writeFileSync(join(directory, name), `${secret}\n`)
    }
  })
  afterAll(() => rm(resolve(directory, '..'), { recursive: true, force: true }))

  it('starts the product with the sandbox, on a read-only file system', () => {
    for (const role of ['api', 'projector', 'reactor']) {
      const config = readConfig(
        withSettingsFromFiles({
          ...environmentOf(composeProjects[0], role),
          NODE_ENV: 'production',
          DATA_DIR: '/dev/null/none',
        }),
      )
      expect(config).toMatchObject({
        role,
        sandbox: { url: 'http://sandbox:3001', simulatesMail: false },
        databaseUrl: expect.stringMatching(
          /^postgres:\/\/billing:[0-9a-f]{64}@postgres:5432\/billing$/,
        ),
      })
    }
  })

  it('starts the product in production, without the sandbox', () => {
    for (const role of ['api', 'projector', 'reactor']) {
      const config = readConfig(
        withSettingsFromFiles({
          ...environmentOf(composeProjects[1], role),
          NODE_ENV: 'production',
          DATA_DIR: '/dev/null/none',
        }),
      )
      expect(config).toMatchObject({
        role,
        sandbox: null,
        publicUrl: 'https://billing.example',
        trustProxy: true,
        smtpUrl: 'smtp://a:b@mail.example:587',
        stripe: { webhookSecrets: ['whsec_1'], connectWebhookSecrets: ['whsec_2'] },
        bounces: null,
        twilio: null,
      })
    }
  })

  it('takes reports of returned mails and sends texts in production, if they are set', () => {
    const given = {
      BOUNCE_ADDRESS: 'bounce@billing.example',
      TWILIO_ACCOUNT_SID: `AC${'1'.repeat(32)}`,
      TWILIO_FROM: '+12185550100',
    }
    for (const role of ['api', 'projector', 'reactor']) {
      const config = readConfig(
        withSettingsFromFiles({
          ...environmentOf(composeProjects[1], role, given),
          NODE_ENV: 'production',
          DATA_DIR: '/dev/null/none',
        }),
      )
      expect(config).toMatchObject({
        bounces: { address: given.BOUNCE_ADDRESS, secret: expect.stringMatching(/^[0-9a-f]{64}$/) },
        twilio: { accountSid: given.TWILIO_ACCOUNT_SID, authToken: 'token' },
      })
    }
  })

  it('sets the price of each plan of the catalogue in production, and no other price', () => {
    for (const service of ['api', 'projector', 'reactor']) {
      const names = Object.keys(environmentOf(composeProjects[1], service))
      expect(names.filter((name) => name.startsWith('STRIPE_PRICE_')).sort()).toEqual(
        plans.map(({ id }) => priceSettingOf(id)).sort(),
      )
    }
  })

  it('starts the sandbox', () => {
    const config = readSandboxConfig({
      ...environmentOf(composeProjects[0], 'sandbox'),
      SANDBOX_DATABASE_URL: 'postgres://a/b',
      STRIPE_WEBHOOK_SECRET: 'whsec_1',
      STRIPE_CONNECT_WEBHOOK_SECRET: 'whsec_1_connect',
    })
    expect(config).toMatchObject({
      host: '0.0.0.0',
      port: 3001,
      webhook: { url: 'http://api:3000/api/stripe/webhook' },
      connectWebhook: { url: 'http://api:3000/api/webhooks/stripe-connect' },
    })
  })

  /**
   * The environment of a service as Compose builds it. Paths in /run/secrets point to the secrets
   * of this test.
   */
  function environmentOf(
    names: readonly string[],
    service: string,
    given: Readonly<Record<string, string>> = {},
  ): Record<string, string> {
    const files = names.flatMap((name) => readComposeFile(name, textOf(name)).file ?? [])
    const { environment } = (mergeComposeFiles(files)['services'] as JsonObject)[
      service
    ] as JsonObject
    return Object.fromEntries(
      Object.entries(environment as Record<string, string>).map(([name, value]) => [
        name,
        interpolated(value, given).replace('/run/secrets', directory),
      ]),
    )
  }
})

/** Replaces `${NAME:?description}`, `${NAME:-default}` and `${NAME:+text}` as Compose does. */
function interpolated(value: string, given: Readonly<Record<string, string>>): string {
  const env: Record<string, string> = {
    ...given,
    PUBLIC_URL: 'https://billing.example',
    MAIL_FROM: 'A <a@billing.example>',
    ...Object.fromEntries(plans.map(({ id }) => [priceSettingOf(id), `price_${id}`])),
  }
  return value.replace(
    /\$\{(\w+)(?::([-?+])([^}]*))?\}/g,
    (_all, name: string, kind: string | undefined, rest: string | undefined) => {
      if (kind === '+') return env[name] === undefined ? '' : (rest ?? '')
      const set = env[name] ?? (kind === '-' ? rest : undefined)
      if (set === undefined) throw new Error(`${name} is needed and not set`)
      return set
    },
  )
}

describe('secrets of the containers', () => {
  let directory: string
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'secrets-'))
  })
  afterAll(() => rm(directory, { recursive: true, force: true }))

  it('are created once and kept by later runs', async () => {
    const first = await makeSecrets(directory, { cluster: false })
    const masterKey = readFileSync(join(directory, 'master_key'), 'utf8')
    const second = await makeSecrets(directory, { cluster: false })
    expect(first).toMatchObject({ kept: [], wrongLog: null })
    expect(second).toEqual({ made: [], kept: first.made, adminPassword: null, wrongLog: null })
    expect(readFileSync(join(directory, 'master_key'), 'utf8')).toBe(masterKey)
  })

  it('for the cluster keep the address of the single node, and the operator reads how to move', async () => {
    const address = readFileSync(join(directory, 'eventstore_url'), 'utf8')
    const { wrongLog } = await makeSecrets(directory, { cluster: true })
    expect(wrongLog).toContain(
      `${directory}/eventstore_url exists and names the single node. It was kept, so the product continues to use the single node, not the cluster.`,
    )
    expect(wrongLog).toContain('events copy --to "esdb://admin:$(cat ')
    expect(wrongLog).toContain(`rm -f ${directory}/eventstore_url && npm run -s billing -- secrets`)
    expect(readFileSync(join(directory, 'eventstore_url'), 'utf8')).toBe(address)
  })

  it('for the single node keep the address of the cluster, without its password in the text', async () => {
    const clusterDirectory = join(directory, 'back')
    expect(await makeSecrets(clusterDirectory, { cluster: true })).toMatchObject({ wrongLog: null })
    const { wrongLog } = await makeSecrets(clusterDirectory, { cluster: false })
    expect(wrongLog).toContain('names the cluster. It was kept')
    expect(wrongLog).toContain('events copy --to "esdb://eventstoredb:2113?tls=false"')
    expect(wrongLog).not.toContain(
      readFileSync(join(clusterDirectory, 'eventstore_admin_password'), 'utf8').trim(),
    )
  })

  it('keep the address of another EventStoreDB, which is not the cluster of docker-compose.yml', async () => {
    const ownDirectory = join(directory, 'own')
    mkdirSync(ownDirectory, { mode: 0o700 })
    writeFileSync(join(ownDirectory, 'eventstore_url'), 'esdb://own:2113?tls=true\n')
    expect(await makeSecrets(ownDirectory, { cluster: false })).toMatchObject({ wrongLog: null })
    const { wrongLog } = await makeSecrets(ownDirectory, { cluster: true })
    expect(wrongLog).toContain('names another log. It was kept')
  })

  it('end the command with exit code 1 if the kept address is not the requested one', () => {
    const command = ['--import', 'tsx', 'scripts/billing.ts', 'secrets', '--cluster', directory]
    const { status, stdout, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8' })
    expect(stdout).toContain('Kept unchanged:')
    expect(stderr).toContain('names the single node. It was kept')
    expect(status).toBe(1)
  })

  it('are the secrets that docker-compose.yml declares', async () => {
    const { kept } = await makeSecrets(directory, { cluster: false })
    const declared = readComposeFile('docker-compose.yml', textOf('docker-compose.yml')).file
      ?.content['secrets'] as JsonObject
    // Only production has a mail server that posts what comes back.
    expect([...kept].sort()).toEqual([...Object.keys(declared), 'bounce_secret'].sort())
  })

  it('match: each address has the password of its server', async () => {
    const clusterDirectory = join(directory, 'cluster')
    await makeSecrets(clusterDirectory, { cluster: true })
    const secret = (name: string) => readFileSync(join(clusterDirectory, name), 'utf8').trim()
    expect(new URL(secret('database_url')).password).toBe(secret('postgres_password'))
    expect(secret('eventstore_url')).toMatch(
      new RegExp(
        `^esdb://admin:${secret('eventstore_admin_password')}@eventstore-node1:2113,.*tls=true`,
      ),
    )
  })

  it('can be read by every container, in a directory that only the owner can enter', () => {
    expect(statSync(join(directory, 'master_key')).mode & 0o777).toBe(0o444)
    expect(statSync(directory).mode & 0o777).toBe(0o700)
  })

  it('are refused in a directory that other users can read', async () => {
    await expect(makeSecrets(tmpdir(), { cluster: false })).rejects.toThrow(
      /Other users may enter .* chmod 700/,
    )
  })
})
