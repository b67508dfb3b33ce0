import { describe, expect, it } from '@jest/globals'
import { warnWithoutProxy } from '#services/settings/warn-without-proxy'

function warningsOf(publicUrl: string, trustProxy: boolean): readonly unknown[] {
  const warnings: unknown[] = []
  const warn = (...line: unknown[]): void => void warnings.push(line.at(-1))
  warnWithoutProxy({ publicUrl, trustProxy }, { warn })
  return warnings
}

describe('the start', () => {
  it('warns of an https PUBLIC_URL with TRUST_PROXY=0', () => {
    expect(warningsOf('https://billing.example', false)).toEqual([
      expect.stringMatching(/^PUBLIC_URL is https and TRUST_PROXY is 0: .* Set TRUST_PROXY=1/),
    ])
  })

  it('does not warn with TRUST_PROXY=1 or over http', () => {
    expect(warningsOf('https://billing.example', true)).toEqual([])
    expect(warningsOf('http://localhost:3000', false)).toEqual([])
  })
})
