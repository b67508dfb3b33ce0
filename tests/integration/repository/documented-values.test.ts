import { describe, expect, it } from '@jest/globals'
import { readFile } from 'node:fs/promises'
import { codeRules } from '#services/accounts/sign-in-code'

const page = (name: string) => readFile(name, 'utf8')

describe('the docs state the values of the code:', () => {
  it('docs/security.md states the limit of resends', async () => {
    const { maxResends, resendWindowMs, resendAfterMs } = codeRules
    expect(await page('docs/security.md')).toContain(
      `| resends | ${maxResends} in ${resendWindowMs / 60_000} minutes and ${resendAfterMs / 1_000} s apart per account`,
    )
  })
})
