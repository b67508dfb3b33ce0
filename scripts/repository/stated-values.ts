import { readdirSync, readFileSync } from 'node:fs'
import { plans, priceSettingOf } from '#contracts/plans'
import { readModels } from '#projections/read-models'
import { codeRules } from '#services/accounts/sign-in-code'
import { controls } from '#services/finance/controls/controls'
import { requestConnectionsOf, workLimits } from '#services/http/admission/work'
import { testCards } from '#services/sandbox/billing/cards'
import { retryAfterDays } from '#services/sandbox/billing/collect-invoice'
import { notificationReactors } from '#services/notifications/reactor-names'
import { operations } from '#services/sandbox/stripe/operations'
import { settingNames } from '#services/settings/settings'
import { differences, sameList } from './differences.ts'

/** Where the documentation states another value than the code has. */
export function misstatedValues(): readonly string[] {
  return [
    ...resends(),
    ...settings(),
    ...prices(),
    ...classesOfRequests(),
    ...callsOfSandbox(),
    ...cardsAndRetries(),
    ...readModelFolders(),
    ...tableOfControls(),
    ...tableOfReactors(),
  ]
}

const page = (name: string) => readFileSync(name, 'utf8')

function states(name: string, sentence: string): readonly string[] {
  return page(name).includes(sentence) ? [] : [`${name} does not state: ${sentence}`]
}

function resends() {
  const { maxResends, resendWindowMs, resendAfterMs } = codeRules
  return states(
    'docs/security.md',
    `| resends | ${maxResends} in ${resendWindowMs / 60_000} minutes per account and network, and ${resendAfterMs / 1_000} s apart per requester`,
  )
}

function settings() {
  return settingNames.flatMap((name) => states('README.md', `\`${name}`))
}

function prices() {
  return sameList('The .env of docs/deployment.md', {
    stated: page('docs/deployment.md').match(/^STRIPE_PRICE_\w+(?==)/gm) ?? [],
    actual: plans.map(({ id }) => priceSettingOf(id)),
  })
}

/** The places, the queue and the longest wait. */
function classesOfRequests() {
  const rows = page('docs/operations.md').matchAll(
    /^\| `([\w-]+)` \| [^|]+ \| (\d+) \| (\d+) \| (\d+) s \|$/gm,
  )
  const limits = workLimits(requestConnectionsOf({ requestConnections: 22 }))
  return sameList('The table of the classes of requests in docs/operations.md', {
    stated: [...rows].map(([, ...cells]) => cells),
    actual: Object.entries(limits).map(([work, { atOnce, waiting, longestWaitMs }]) =>
      [work, atOnce, waiting, longestWaitMs / 1_000].map(String),
    ),
  })
}

const notSimulated = ['POST /v1/products', 'POST /v1/subscriptions', 'GET /v1/balance_transactions']

function callsOfSandbox() {
  const named = page('docs/sandbox.md').match(/(?<=`)(GET|POST|DELETE) \/v1\/[^`]+(?=`[,|: ])/g)
  return differences('docs/sandbox.md', {
    stated: [...new Set(named)],
    actual: [
      ...operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`),
      ...notSimulated,
    ],
  })
}

function cardsAndRetries() {
  const named = [...page('docs/sandbox.md').matchAll(/^\| `([\d ]+)` \|/gm)].map(([, card = '']) =>
    card.replaceAll(' ', ''),
  )
  let day = 0
  const days = retryAfterDays.map((pause) => (day += pause))
  return [
    ...differences('The table of test cards in docs/sandbox.md', {
      stated: named,
      actual: testCards.map(({ number }) => number),
    }),
    ...states(
      'docs/sandbox.md',
      `charged again ${days.slice(0, -1).join(', ')} and ${days.at(-1)} days`,
    ),
  ]
}

function readModelFolders() {
  const names = readModels.map(({ name }) => name)
  const folders = readdirSync('projections', { recursive: true, encoding: 'utf8' }).flatMap(
    (file) => /^([^/]+)\/read-model\.ts$/.exec(file)?.[1] ?? [],
  )
  return differences('readModels in projections/read-models.ts', {
    stated: names,
    actual: folders.filter((folder) => folder !== 'engine'),
  })
}

/** The first cells of the table below a heading: the names in backticks. */
function namesBelow(name: string, heading: string): readonly string[] {
  const [, section = ''] = page(name).split(`\n${heading}\n`)
  const [text = ''] = section.split('\n## ')
  return [...text.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, first = '']) => first)
}

function tableOfControls() {
  return sameList('The table of controls in docs/finance.md', {
    stated: namesBelow('docs/finance.md', '## Controls'),
    actual: controls.map(({ name }) => name),
  })
}

/** A reactor has a row for each kind of its effects. */
function tableOfReactors() {
  const names = readdirSync('services', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => reactorNamesOf(`services/${file}`))
  return differences('The table of side effects in docs/operations.md', {
    stated: [...new Set(namesBelow('docs/operations.md', '## Side effects'))],
    actual: [...names, ...notificationReactors],
  })
}

/** The name in the declaration or in the constant that it gives. `reactor-names.ts` has others. */
function reactorNamesOf(file: string): readonly string[] {
  const code = page(file)
  if (!code.includes('defineReactor({') || code.includes("/reactor-names.ts'")) return []
  const [, given, constant = 'name'] =
    /defineReactor\(\{\s+name(?:: '([\w-]+)'|: (\w+))?,/.exec(code) ?? []
  const declared = new RegExp(`\\bconst ${constant} = '([\\w-]+)'`).exec(code)?.[1]
  return [given ?? declared ?? `the reactor of ${file}, whose name is not in its file`]
}
