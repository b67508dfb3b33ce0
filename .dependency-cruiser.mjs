/**
 * The import rules. `npm run lint` checks them.
 * scripts/lint/planted-imports.mjs plants a violation of each rule.
 *
 * - contracts → contracts. `contracts/events/` imports only itself and three primitives.
 * - web → contracts. Inside web: prerender → app → features → ui and api → lib.
 * - services → contracts. `services/health/`, `services/read-side/`, `services/settings/`,
 *   `services/start/` and `services/operations/` also import the projections.
 *   Inside services: `servicesFromTheGroundUp`; inside the sandbox: `sandboxFromTheGroundUp`.
 * - projections → the event store's port, its codec and its personal fields, leases, transactions,
 *   the definition of an unavailable database, the rules of finance, the foundation, and contracts.
 *   A read model imports no other read model.
 *
 * Every file may import packages and Node's modules, unless a rule names them. The compiler checks
 * that each import exists. A rule sees each form of an import, also one of types alone, except for
 * `import('…')` in a type, which oxlint refuses (consistent-type-imports). No rule has a list of
 * known violations, and no comment switches one off.
 */

const areas = '^(contracts|projections|scripts|services|tests|web)/'

/** `from` may import from its `allowed` paths, and from no other area. */
const only = (name, comment, from, allowed) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from },
  to: { path: areas, pathNot: allowed },
})

/** `from` may not import from `to`. */
const never = (name, comment, from, to) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from },
  to: { path: to },
})

/**
 * The groups of services/. A group imports from the groups before it and from itself. Groups that
 * share an entry do not import each other. docs/architecture.md has the same order.
 */
export const servicesFromTheGroundUp = [
  ['foundation'],
  ['tracing'],
  ['payments', 'mail', 'sms', 'tables', 'pdf'],
  ['postgres'],
  ['event-store'],
  ['finance'],
  ['commands'],
  ['reactors'],
  ['controls'],
  ['http'],
  ['administrators'],
  ['accounts'],
  ['keys'],
  ['billing'],
  ['receivables'],
  ['enquiries'],
  ['notifications'],
  ['reports'],
  ['admin'],
  ['health'],
  ['read-side'],
  ['settings'],
  ['sandbox-process'],
  ['start'],
  ['operations'],
]

const orderOfServices = servicesFromTheGroundUp.slice(0, -1).map((groups, level) => ({
  name: `services-order-${groups.join('-')}`,
  comment:
    'a group of services imports only groups below it: what it needs from above is injected in services/start',
  severity: 'error',
  from: { path: `^services/(${groups.join('|')})/` },
  to: {
    path: `^services/(${servicesFromTheGroundUp.slice(level).flat().join('|')})/`,
    pathNot: '^services/$1/',
  },
}))

/** The folders that have a place in the order, and the sandbox. */
const listedServices = [...servicesFromTheGroundUp.flat(), 'sandbox'].join('|')

/**
 * The folders of the sandbox. A folder imports from its own entry and from the entries before it.
 * The sandbox's root imports all folders.
 */
const sandboxFromTheGroundUp = [
  // A change of the store writes its webhooks in the same transaction.
  ['store', 'webhooks'],
  // A renewal makes invoices and charges, and the API starts and ends subscriptions.
  ['stripe', 'billing'],
  ['messages', 'control'],
  ['pages'],
]

const orderOfSandbox = sandboxFromTheGroundUp.map((folders, level) => ({
  name: `sandbox-order-${folders.join('-')}`,
  comment: 'a folder of the sandbox imports only folders below it and the errors of the start',
  severity: 'error',
  from: { path: `^services/sandbox/(${folders.join('|')})/` },
  to: {
    path: '^services/sandbox/',
    pathNot: [
      `^services/sandbox/(${sandboxFromTheGroundUp
        .slice(0, level + 1)
        .flat()
        .join('|')})/`,
      '^services/sandbox/(explain-listen-error|startup-error)\\.ts$',
    ],
  },
}))

export default {
  forbidden: [
    only(
      'contracts-stand-alone',
      'all areas import contracts; contracts import only each other',
      '^contracts/',
      ['^contracts/'],
    ),
    only(
      'stored-events-stand-alone',
      'a stored event owns its payload: a change of the API must not change what is stored. Events import the other events and these shared primitives',
      '^contracts/events/',
      ['^contracts/events/', '^contracts/(calendar-day|instant|money)\\.ts$'],
    ),
    never(
      'primitives-of-events-stand-alone',
      'the primitives that stored events share import no other contract',
      '^contracts/(calendar-day|instant|money)\\.ts$',
      '^contracts/',
    ),
    {
      name: 'contracts-need-only-zod',
      comment: 'contracts run in the browser and in every service: zod is their only package',
      severity: 'error',
      from: { path: '^contracts/' },
      to: {
        dependencyTypesNot: ['local', 'aliased', 'aliased-subpath-import'],
        pathNot: '(^|/)node_modules/zod/',
      },
    },
    only(
      'projections-read-the-log',
      "projections import contracts, the event store's port and codec, leases, transactions, the definition of an unavailable database, the rules of finance, and the foundation",
      '^projections/',
      [
        '^projections/',
        '^contracts/',
        '^services/foundation/',
        '^services/event-store/[^/]+\\.ts$',
        '^services/event-store/encryption/(codec|personal-fields)\\.ts$',
        '^services/postgres/(granted-locks|lease|transaction|unavailable)\\.ts$',
        '^services/finance/',
      ],
    ),
    never(
      'finance-is-pure',
      'the rules of finance compute from events alone: they read no clock, file or database',
      '^services/finance/',
      '^services/(foundation/(?!(damaged-history|decider|event-consumer|stream-names|zone-offset)\\.ts$)|payments/|mail/|sms/|postgres/|event-store/)',
    ),
    {
      name: 'finance-needs-no-module-of-node',
      comment:
        'the rules of finance compute from events alone: they read no clock, file or database',
      severity: 'error',
      from: { path: '^services/finance/' },
      to: { dependencyTypes: ['core'] },
    },
    never(
      'engine-root-below-its-folders',
      'what read models import of the engine needs none of its parts',
      '^projections/engine/[^/]+$',
      '^projections/engine/[^/]+/',
    ),
    never(
      'engine-run-below-operations',
      'projectors run and park streams without the commands that rebuild or operate them',
      '^projections/engine/(run|park)/',
      '^projections/engine/(rebuild|operate)/',
    ),
    never(
      'engine-rebuild-below-operate',
      'operate imports rebuild; rebuild does not import operate',
      '^projections/engine/rebuild/',
      '^projections/engine/operate/',
    ),
    never(
      'engine-knows-no-read-model',
      'the engine runs any read model',
      '^projections/engine/',
      '^projections/(?!engine/)',
    ),
    never(
      'shared-knows-no-read-model',
      'shared/ and listing/ serve any read model',
      '^projections/(shared|listing)/',
      '^projections/(?!shared/|listing/)',
    ),
    {
      name: 'read-models-apart',
      comment:
        'a read model imports its own files, the root of the engine, shared/ and listing/: any read model can be removed',
      severity: 'error',
      from: { path: '^projections/(?!engine/|shared/|listing/)([^/]+)/' },
      to: {
        path: '^projections/',
        pathNot: [
          '^projections/$1/',
          '^projections/engine/[^/]+$',
          '^projections/(shared|listing)/',
        ],
      },
    },
    only(
      'services-know-no-screen',
      'services import services, projections and contracts',
      '^services/(?!sandbox/)',
      ['^services/', '^projections/', '^contracts/'],
    ),
    never(
      'services-know-no-projection',
      'only health/, read-side/, settings/, start/ and operations/ import the projections. The other groups receive queries by injection',
      '^services/(?!(health|read-side|settings|start|operations|sandbox)/)[^/]+/',
      '^projections/',
    ),
    never(
      'services-folder-is-listed',
      'a new folder of services/ needs a place in servicesFromTheGroundUp',
      '',
      `^services/(?!(${listedServices})/)[^/]+/`,
    ),
    never(
      'services-unlisted-folder-imports-nothing',
      'a new folder of services/ needs a place in servicesFromTheGroundUp',
      `^services/(?!(${listedServices})/)[^/]+/`,
      '^(contracts|projections|services)/',
    ),
    ...orderOfServices,
    never(
      'receivables-through-ports',
      'what receivables needs of accounts and billing is injected: it works for any customer',
      '^services/receivables/',
      '^services/(accounts|billing)/',
    ),
    {
      name: 'stripe-in-its-adapter',
      comment:
        'the port of payments fits any provider: only the adapter, the composition and the commands of an operator know Stripe',
      severity: 'error',
      from: {
        pathNot:
          '^(services/(payments/stripe|start|operations|sandbox)/|scripts/(stripe-smoke|billing/(stripe|demo))|tests/|node_modules/)',
      },
      to: { path: '^services/payments/stripe/|(^|/)node_modules/stripe/' },
    },
    ...orderOfSandbox,
    {
      name: 'services-root-is-main',
      comment: 'main.ts is the only file in the root of services/, and no file imports it',
      severity: 'error',
      from: {},
      to: { path: '^services/[^/]+$' },
    },
    never(
      'event-store-port-below-adapters',
      'the port and its errors need no adapter, codec or key',
      '^services/event-store/[^/]+$',
      '^services/event-store/[^/]+/',
    ),
    {
      name: 'event-store-adapters-apart',
      comment: 'an adapter imports the port and its own files: either can be removed',
      severity: 'error',
      from: { path: '^services/event-store/(postgres|eventstoredb)/' },
      to: { path: '^services/event-store/[^/]+/', pathNot: '^services/event-store/$1/' },
    },
    never(
      'event-store-port-knows-no-driver',
      'the types of the port fit any adapter',
      '^services/event-store/[^/]+$',
      '(^|/)node_modules/(@types/)?(pg|@eventstore)/',
    ),
    never(
      'event-store-encryption-on-the-port',
      'encryption imports only the port: it encrypts events of any adapter',
      '^services/event-store/encryption/',
      '^services/event-store/(postgres|eventstoredb|audit|transfer)/',
    ),
    never(
      'event-store-audit-on-the-port',
      'audit imports only the port: it verifies what is stored, without keys and on any adapter',
      '^services/event-store/audit/',
      '^services/event-store/(postgres|eventstoredb|encryption|transfer)/',
    ),
    never(
      'event-store-transfer-on-the-port',
      'transfer imports the port, audit and encryption: it moves events between any adapters',
      '^services/event-store/transfer/',
      '^services/event-store/(postgres|eventstoredb)/',
    ),
    never(
      'pdf-files-are-made-in-threads',
      'a file takes 30 ms of a processor and more: pdf-files.ts starts the threads that make it',
      '^(contracts|projections|scripts|services/(?!start/render-pdf\\.ts$))',
      '^services/(billing/receipts/render-receipt|receivables/statement/render-statement|start/render-pdf)\\.ts$',
    ),
    {
      name: 'sandbox-is-another-program',
      comment:
        'the sandbox simulates external services: the product reaches it over the network only',
      severity: 'error',
      from: { pathNot: '^(services/sandbox|tests|scripts)/' },
      to: { path: '^services/sandbox/' },
    },
    only(
      'sandbox-stands-alone',
      'the sandbox imports contracts, its own files, the transactions, and the files of the foundation that know nothing of the product',
      '^services/sandbox/',
      [
        '^services/sandbox/',
        '^contracts/',
        '^services/foundation/(backoff|columns|hear-errors|hear-output-errors|log-destination|outage-log|production-react|queryable|repeat|rows|sleep|startup-error|terminal-line|validation-messages)\\.ts$',
        '^services/postgres/transaction\\.ts$',
      ],
    ),
    only(
      'web-knows-contracts',
      'the web calls the services over HTTP and shares only contracts with them',
      '^web/',
      ['^web/', '^contracts/'],
    ),
    never(
      'web-folder-is-listed',
      'a new folder of web/ needs a place in the rules below',
      '',
      '^web/(?!(api|app|features|lib|prerender|ui)/)',
    ),
    {
      name: 'features-stand-alone',
      comment:
        'a feature does not import another feature: shared code belongs in ui/, api/ or lib/',
      severity: 'error',
      from: { path: '^web/features/([^/]+)/' },
      to: { path: '^web/features/', pathNot: '^web/features/$1/' },
    },
    never(
      'web-below-prerender',
      'the build prerenders the app; the browser loads none of it',
      '^web/(app|features|ui|api|lib)/',
      '^web/prerender/',
    ),
    never(
      'web-features-below-app',
      'features do not know the router or the layouts',
      '^web/features/',
      '^web/app/',
    ),
    never(
      'web-ui-on-lib',
      'components import only each other, lib and contracts',
      '^web/ui/',
      '^web/(app|features|api)/',
    ),
    never(
      'web-api-on-lib',
      'the RTK Query API imports only its own files, lib and contracts',
      '^web/api/',
      '^web/(app|features|ui)/',
    ),
    never(
      'web-lib-stands-alone',
      'lib imports only its own files and contracts',
      '^web/lib/',
      '^web/(app|features|ui|api)/',
    ),
    {
      name: 'product-knows-no-test',
      comment: 'tests import the product; the product does not import tests',
      severity: 'error',
      from: { pathNot: '^tests/' },
      to: { path: '^tests/' },
    },
    never(
      'unit-tests-need-nothing',
      'the project `unit` has no server of any kind: a test that needs one belongs in tests/integration',
      '^tests/(domain|contracts)/',
      '^tests/support/(browser|postgres|product|projections)/',
    ),
    never(
      'integration-starts-no-product',
      'a test that starts the product or a browser belongs in tests/end-to-end',
      '^tests/integration/',
      '^tests/support/(browser/|product/(run-product|product-with-browser)\\.ts$)',
    ),
    {
      name: 'no-cycle',
      comment: 'files that import each other can only be understood together',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-barrel',
      comment:
        'an import names the file that it needs, not an index that gathers files (oxlint refuses `export *`)',
      severity: 'error',
      from: {},
      to: { path: '/index\\.tsx?$', pathNot: 'node_modules/' },
    },
    {
      name: 'declared-packages',
      comment:
        'package.json declares every package that the product imports, so that npm ci installs it',
      severity: 'error',
      from: {},
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'product-runs-without-dev-packages',
      comment:
        'the image installs with --omit=dev; the packages of the web are in its bundle, so those are devDependencies',
      severity: 'error',
      from: { path: '^((contracts|projections|services|scripts/billing)/|scripts/billing\\.ts$)' },
      to: {
        dependencyTypes: ['npm-dev'],
        dependencyTypesNot: ['type-only'],
        pathNot: ['node_modules/@types/', 'node_modules/@fontsource'],
      },
    },
  ],
  options: {
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|\\.cache)/' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'types', 'default'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json'],
    },
  },
}
