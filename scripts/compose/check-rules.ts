import { drainMs } from '#services/start/drain-ms'
import { objectOf, objects, references, seconds, strings, text } from './compose-values.ts'
import { isObject, type JsonObject } from './read-compose-file.ts'

export interface KnownSettings {
  /** Settings that the product reads. */
  readonly product: readonly string[]
  /** Settings of the product that may come from a file: NAME_FILE. */
  readonly secrets: readonly string[]
  /** Settings that the sandbox reads. */
  readonly sandbox: readonly string[]
}

const drainSeconds = drainMs / 1_000

/**
 * Checks what the schema cannot express. Returns the problems as sentences:
 * - a name that is not declared or not used
 * - an image that is not pinned, or that several services build
 * - a container with more rights than it needs
 * - a secret in an environment
 * - a setting that no program reads
 * - a sandbox that listens only on loopback, or refuses the name of its container
 *
 * `project` has the merged files. `exists` returns whether the repository has a path.
 */
export function checkRules(
  project: JsonObject,
  settings: KnownSettings,
  exists: (path: string) => boolean,
): readonly string[] {
  const services = objects(project['services'])
  const builders = Object.entries(services).filter(([, { build }]) => build !== undefined)
  const productImage = text(builders[0]?.[1]['image'])
  const isProduct = (service: JsonObject) => text(service['image']) === productImage
  return [
    ...checkBuilder(builders.map(([name]) => name)),
    ...Object.entries(services).flatMap(([name, service]) =>
      [
        ...(isProduct(service) ? [] : checkPin(service)),
        ...checkConfinement(service),
        ...(isProduct(service) ? checkProductConfinement(service) : []),
        ...(isProduct(service) ? checkPullPolicy(service) : []),
        ...checkEnvironment(service, isProduct(service) ? settings : null),
        ...checkSecretPaths(service),
        ...checkMetrics(service, objects(project['networks'])),
        ...checkPorts(service, objects(project['networks'])),
        ...checkDependencies(service, services, isProduct),
        ...checkConfigs(service, objects(project['configs'])),
      ].map((problem) => `services.${name}: ${problem}`),
    ),
    ...checkNames(project, services),
    ...checkConfigFiles(objects(project['configs']), exists),
  ]
}

/** Several services that build one image would build it several times. */
function checkBuilder(names: readonly string[]): string[] {
  return names.length === 1
    ? []
    : [`services: one service must build the product's image, not ${names.join(', ') || 'none'}.`]
}

/**
 * Only the service that builds the image may pull it. The others would ask a public registry for
 * the name of a local image.
 */
function checkPullPolicy(service: JsonObject): string[] {
  const policy = service['build'] === undefined ? 'never' : 'missing'
  return service['pull_policy'] === policy ? [] : [`pull_policy must be ${policy}.`]
}

function checkPin(service: JsonObject): string[] {
  const image = text(service['image'])
  return /(:v?\d+\.\d+[\w.-]*|@sha256:[0-9a-f]{64})$/.test(image)
    ? []
    : [`the image '${image}' is not pinned to a version.`]
}

function checkConfinement(service: JsonObject): string[] {
  const isOnce = service['restart'] === undefined
  const logging = objectOf(service['logging'])
  const limits = objectOf(objectOf(objectOf(service['deploy'])['resources'])['limits'])
  return [
    ...(strings(service['cap_drop']).includes('ALL') ? [] : ['cap_drop must be [ALL].']),
    ...(strings(service['security_opt']).includes('no-new-privileges:true')
      ? []
      : ['security_opt must have no-new-privileges:true.']),
    ...(objectOf(logging['options'])['max-size'] === undefined
      ? ['logging must have a max-size, or it fills the disk.']
      : []),
    ...(isOnce || limits['memory'] !== undefined
      ? []
      : ['deploy.resources.limits must have a memory.']),
    ...(service['privileged'] === true ? ['privileged must not be set.'] : []),
    ...(changesAccount(service) && service['init'] === true
      ? [
          "init must be false: an init process that stays root without the capability KILL cannot pass the stop signal to another account's process.",
        ]
      : []),
  ]
}

function checkProductConfinement(service: JsonObject): string[] {
  const user = text(service['user']).split(':')[0] ?? ''
  return [
    ...(service['read_only'] === true ? [] : ['read_only must be true.']),
    ...(user === '' || user === '0' || user === 'root'
      ? ['user must be set, and not be root.']
      : []),
    ...(seconds(text(service['stop_grace_period'])) > drainSeconds
      ? []
      : [
          `stop_grace_period must be longer than the ${drainSeconds} s that the product waits for requests.`,
        ]),
    ...(service['cap_add'] === undefined ? [] : ['cap_add is not needed.']),
  ]
}

/** Whether the entry point starts as root and then changes to another account. */
const changesAccount = (service: JsonObject) =>
  strings(service['cap_add']).includes('SETUID') && !strings(service['cap_add']).includes('KILL')

/** `settings` is null for a service that is not the product. */
function checkEnvironment(service: JsonObject, settings: KnownSettings | null): string[] {
  const entries = Object.entries(objectOf(service['environment'])).map(
    ([name, value]) => [name, text(value)] as const,
  )
  const secret = entries.filter(
    ([name, value]) =>
      value !== '' &&
      (/(PASSWORD|SECRET|TOKEN|HASH|(?<!PUBLISHABLE)_KEY)$/.test(name) ||
        /:\/\/[^/@]*:[^/@]+@/.test(value)),
  )
  const problems = secret.map(
    ([name]) =>
      `environment.${name} holds a secret. Everyone who may inspect the container can read it. Use ${name}_FILE and a secret.`,
  )
  if (settings === null) return problems
  const isSandbox = strings(service['command']).some((part) => part.includes('services/sandbox/'))
  const known = new Set(
    isSandbox
      ? settings.sandbox
      : [...settings.product, ...settings.secrets.map((name) => `${name}_FILE`)],
  )
  // The default of SANDBOX_HOST is loopback, which other containers cannot reach.
  const isUnreachable = isSandbox && entries.every(([name]) => name !== 'SANDBOX_HOST')
  // The sandbox answers at the hosts of its settings only.
  const isUnnamed = isSandbox && entries.every(([name]) => name !== 'SANDBOX_URL')
  return [
    ...problems,
    ...(isUnreachable
      ? ['environment.SANDBOX_HOST must be set, or no other container reaches the sandbox.']
      : []),
    ...(isUnnamed
      ? ['environment.SANDBOX_URL must be set, or the sandbox refuses the other containers.']
      : []),
    ...entries.flatMap(([name]) =>
      known.has(name)
        ? []
        : [`environment.${name} is no setting of the ${isSandbox ? 'sandbox' : 'product'}.`],
    ),
  ]
}

/** A service that reads /run/secrets/x, in a setting or in a command, needs the secret x. */
function checkSecretPaths(service: JsonObject): string[] {
  const given = new Set(references(service['secrets']))
  const read = [
    ...JSON.stringify([service['environment'] ?? null, service['command'] ?? null]).matchAll(
      /\/run\/secrets\/([\w-]+)/g,
    ),
  ]
  return [...new Set(read.map(([, name]) => name ?? ''))]
    .filter((name) => !given.has(name))
    .map((name) => `The service reads /run/secrets/${name}, but does not have the secret ${name}.`)
}

/** The metrics need no sign-in. Only a scraper may reach them. */
function checkMetrics(
  service: JsonObject,
  networks: Readonly<Record<string, JsonObject>>,
): string[] {
  const port = text(objectOf(service['environment'])['METRICS_PORT'])
  const isOnNetwork = references(service['networks']).includes('metrics')
  if (port === '')
    return isOnNetwork ? ['only the product and a scraper belong on the network metrics.'] : []
  return [
    ...(isOnNetwork ? [] : ['METRICS_PORT is set, so networks must have metrics.']),
    ...(networks['metrics']?.['internal'] === true
      ? []
      : ['the network metrics must be internal.']),
    ...(strings(service['ports']).some((each) => each.includes(port))
      ? ['the port of the metrics is published.']
      : []),
  ]
}

/** Only the product may reach a database. */
function checkPorts(service: JsonObject, networks: Readonly<Record<string, JsonObject>>): string[] {
  const own = references(service['networks'])
  const isInside = own.length > 0 && own.every((name) => networks[name]?.['internal'] === true)
  return isInside && strings(service['ports']).length > 0
    ? ['ports are published, but the service is on internal networks only.']
    : []
}

/** A service may wait only for services that every selection of profiles also starts. */
function checkDependencies(
  service: JsonObject,
  services: Readonly<Record<string, JsonObject>>,
  hasImageHealth: (service: JsonObject) => boolean,
): string[] {
  const profiles = strings(service['profiles'])
  return references(service['depends_on']).flatMap((name) => {
    const other = services[name]
    if (other === undefined) return [`depends_on names ${name}, which is no service.`]
    const condition = isObject(service['depends_on']) ? objectOf(service['depends_on'][name]) : {}
    const others = strings(other['profiles'])
    const isPresent =
      others.length === 0 ||
      (profiles.length > 0 && profiles.every((profile) => others.includes(profile)))
    if (!isPresent && condition['required'] !== false)
      return [
        `depends_on ${name} must be 'required: false': it has a profile (${others.join(', ')}) that may be off.`,
      ]
    if (
      condition['condition'] === 'service_healthy' &&
      other['healthcheck'] === undefined &&
      !hasImageHealth(other)
    )
      return [`depends_on ${name} waits for its health, but ${name} has no healthcheck.`]
    return []
  })
}

/**
 * Compose copies inline content into the container before its start. A read-only file system
 * refuses the copy.
 */
function checkConfigs(
  service: JsonObject,
  configs: Readonly<Record<string, JsonObject>>,
): string[] {
  if (service['read_only'] !== true) return []
  const isInline = (name: string) =>
    configs[name]?.['content'] !== undefined || configs[name]?.['environment'] !== undefined
  return references(service['configs'])
    .filter(isInline)
    .map((name) => `configs.${name} has inline content, and the service is read-only: use a file.`)
}

/**
 * If a mounted file does not exist, Docker creates an empty directory in its place, without an
 * error.
 */
function checkConfigFiles(
  configs: Readonly<Record<string, JsonObject>>,
  exists: (path: string) => boolean,
): string[] {
  return Object.entries(configs).flatMap(([name, config]) => {
    const file = text(config['file'])
    return file === '' || exists(file) ? [] : [`configs.${name}: there is no file ${file}.`]
  })
}

/** Every used name is declared, and every declared name is used. */
function checkNames(project: JsonObject, services: Readonly<Record<string, JsonObject>>): string[] {
  return (['networks', 'volumes', 'secrets', 'configs'] as const).flatMap((kind) => {
    const declared = Object.keys(objectOf(project[kind]))
    const used = new Set(
      Object.values(services).flatMap((service) => references(service[kind], kind === 'volumes')),
    )
    return [
      ...[...used]
        .filter((name) => !declared.includes(name))
        .map((name) => `${kind}.${name} is used and not declared.`),
      ...declared
        .filter((name) => !used.has(name))
        .map((name) => `${kind}.${name} is declared and not used.`),
    ]
  })
}
