import { expect, it } from '@jest/globals'
import { runBilling } from '../../support/product/run-billing.ts'

it.each([
  ['controls', 'run', '--kontrol', 'late-refund'],
  ['close', 'show'],
  ['keys', 'rotate', '--all'],
])(
  'billing %s %s with wrong arguments of commander ends with exit code 2',
  async (...args: readonly string[]) => {
    expect(await runBilling({ DATA_DIR: '/nonexistent' }, ...args)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^error: /) as unknown,
    })
  },
)
