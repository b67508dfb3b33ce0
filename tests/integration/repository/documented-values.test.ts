import { describe, expect, it } from '@jest/globals'
import { readdir, readFile } from 'node:fs/promises'
import { plans, priceSettingOf } from '#contracts/plans'
import { readModels } from '#projections/read-models'
import { codeRules } from '#services/accounts/sign-in-code'
import { workLimits } from '#services/http/admission/work'
import { testCards } from '#services/sandbox/billing/cards'
import { retryAfterDays } from '#services/sandbox/billing/collect-invoice'
import { operations } from '#services/sandbox/stripe/operations'
import { requestConnections } from '#services/start/open-storage'
import { settingNames } from '#services/start/settings'

const page = (name: string) => readFile(name, 'utf8')

describe('the docs state the values of the code:', () => {
  it('docs/security.md states the limit of resends', async () => {
    const { maxResends, resendWindowMs, resendAfterMs } = codeRules
    expect(await page('docs/security.md')).toContain(
      `| resends | ${maxResends} in ${resendWindowMs / 60_000} minutes per account and network, and ${resendAfterMs / 1_000} s apart per requester`,
    )
  })

  it('README.md names every setting', async () => {
    const readme = await page('README.md')
    expect(settingNames.filter((name) => !readme.includes(`\`${name}`))).toEqual([])
  })

  it('the .env of docs/deployment.md has the price of every plan, in the order of the catalogue', async () => {
    const prices = (await page('docs/deployment.md')).match(/^STRIPE_PRICE_\w+(?==)/gm)
    expect(prices).toEqual(plans.map(({ id }) => priceSettingOf(id)))
  })

  it('docs/operations.md has the places, queue and longest wait of every class of requests', async () => {
    const rows = (await page('docs/operations.md')).matchAll(
      /^\| `([\w-]+)` \| [^|]+ \| (\d+) \| (\d+) \| (\d+) s \|$/gm,
    )
    const limits = workLimits(requestConnections({ requestConnections: 22 }))
    expect([...rows].map(([, ...cells]) => cells)).toEqual(
      Object.entries(limits).map(([work, { atOnce, waiting, longestWaitMs }]) =>
        [work, atOnce, waiting, longestWaitMs / 1_000].map(String),
      ),
    )
  })

  it('docs/sandbox.md names every call of the sandbox', async () => {
    const named = (await page('docs/sandbox.md')).match(
      /(?<=`)(GET|POST|DELETE) \/v1\/[^`]+(?=`[,|: ])/g,
    )
    const calls = operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`)
    expect(calls.filter((call) => !named?.includes(call))).toEqual([])
    const notSimulated = [
      'POST /v1/products',
      'POST /v1/subscriptions',
      'GET /v1/balance_transactions',
    ]
    expect([...new Set(named)].filter((call) => !calls.includes(call)).sort()).toEqual(
      notSimulated.sort(),
    )
  })

  it('docs/sandbox.md names every test card and the days of the retries', async () => {
    const text = await page('docs/sandbox.md')
    const named = [...text.matchAll(/^\| `([\d ]+)` \|/gm)].map(([, card]) =>
      card?.replaceAll(' ', ''),
    )
    expect(new Set(named)).toEqual(new Set(testCards.map(({ number }) => number)))
    let day = 0
    const days = retryAfterDays.map((pause) => (day += pause))
    expect(text).toContain(`charged again ${days.slice(0, -1).join(', ')} and ${days.at(-1)} days`)
  })

  it('docs/architecture.md names the folder of every read model', async () => {
    const architecture = await page('docs/architecture.md')
    const names = readModels.map(({ name }) => name)
    expect(names.filter((name) => !architecture.includes(`${name}/\``))).toEqual([])
  })
})

it('readModels contains every read model of projections/', async () => {
  const files = await readdir('projections', { recursive: true })
  const folders = files.flatMap((file) => /^([^/]+)\/read-model\.ts$/.exec(file)?.[1] ?? [])
  expect(folders.filter((folder) => folder !== 'engine').sort()).toEqual(
    readModels.map(({ name }) => name).sort(),
  )
})
