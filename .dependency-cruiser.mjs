/**
 * Who may import whom: web → contracts; services → projections' queries and contracts; projections →
 * the event store's port and contracts. Checked by `npm run lint`; every rule has a test that breaks it
 * (tests/integration/dependency-rules.test.ts). Packages and Node's own modules are free unless a
 * rule says otherwise; that an import leads anywhere at all is the compiler's business.
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

export default {
  forbidden: [
    only('contracts-stand-alone', 'contracts are imported by all and import only each other', '^contracts/', ['^contracts/']),
    {
      name: 'contracts-need-only-zod',
      comment: 'contracts run in the browser and in every service: zod is all they may bring along',
      severity: 'error',
      from: { path: '^contracts/' },
      to: { dependencyTypesNot: ['local', 'aliased', 'aliased-subpath-import'], pathNot: '(^|/)node_modules/zod/' },
    },
    only(
      'projections-read-the-log',
      'projections know the event store and contracts, and nothing of the services that write',
      '^projections/',
      ['^projections/', '^contracts/', '^services/event-store/', '^services/(clock|decider|startup-error)\\.ts$', '^services/foundation/'],
    ),
    only('services-know-no-screen', 'services import services, projections and contracts', '^services/(?!sandbox/)', ['^services/', '^projections/', '^contracts/']),
    {
      name: 'sandbox-is-another-program',
      comment: 'the sandbox plays the outside world: the product talks to it over the network only',
      severity: 'error',
      from: { pathNot: '^(services/sandbox|tests|scripts)/' },
      to: { path: '^services/sandbox/' },
    },
    only(
      'sandbox-stands-alone',
      'the sandbox imports contracts, its own files and what knows nothing of the product',
      '^services/sandbox/',
      ['^services/sandbox/', '^contracts/', '^services/foundation/(growing-pauses|outage-log|repeat)\\.ts$'],
    ),
    only('web-knows-contracts', 'the web talks to the services over HTTP and shares only contracts with them', '^web/', ['^web/', '^contracts/']),
    {
      name: 'features-stand-alone',
      comment: 'a feature never imports another feature: what two of them need belongs beside features/',
      severity: 'error',
      from: { path: '^web/features/([^/]+)/' },
      to: { path: '^web/features/', pathNot: '^web/features/$1/' },
    },
    {
      name: 'product-knows-no-test',
      comment: 'tests import the product, never the other way round',
      severity: 'error',
      from: { pathNot: '^tests/' },
      to: { path: '^tests/' },
    },
    {
      name: 'no-cycle',
      comment: 'files that import each other can only be understood together',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-barrel',
      comment: 'an import names the file that it needs, not an index that gathers files (oxlint refuses `export *`)',
      severity: 'error',
      from: {},
      to: { path: '/index\\.tsx?$', pathNot: 'node_modules/' },
    },
    {
      name: 'declared-packages',
      comment: 'what the product imports is in package.json, so that it is there after npm ci',
      severity: 'error',
      from: {},
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'product-runs-without-dev-packages',
      comment: 'the product is started after npm ci --omit=dev as well',
      severity: 'error',
      from: { path: '^(contracts|projections|services|web)/' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'], pathNot: ['node_modules/@types/', 'node_modules/@fontsource'] },
    },
  ],
  options: {
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|\\.cache)/' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'types', 'default'], extensions: ['.ts', '.tsx', '.mjs', '.js', '.json'] },
  },
}
