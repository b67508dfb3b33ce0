import { expect, it } from '@jest/globals'
import { warnWithoutConnectSecret } from '#services/settings/warn-without-connect-secret'

function warningsOf(connectWebhookSecrets: readonly string[]): readonly unknown[] {
  const warnings: unknown[] = []
  const warn = (...line: unknown[]): void => void warnings.push(line.at(-1))
  warnWithoutConnectSecret({ stripe: { connectWebhookSecrets } }, { warn })
  return warnings
}

it('warns of a start that believes no event of a connected account', () => {
  expect(warningsOf([])).toEqual([
    expect.stringMatching(/^STRIPE_CONNECT_WEBHOOK_SECRET is not set: .* stripe setup/),
  ])
  expect(warningsOf(['whsec_1_connect'])).toEqual([])
})
