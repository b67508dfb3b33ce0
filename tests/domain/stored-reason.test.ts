import { describe, expect, it } from '@jest/globals'
import { storedReason } from '#services/foundation/stored-reason'

describe('a stored reason', () => {
  it('has the text of an error without the addresses that a third party repeats', () => {
    const error = new Error('Invalid email address: dana.o+x@example.com (customer cus_9)')
    expect(storedReason(error)).toBe('Invalid email address: [address] (customer cus_9)')
    expect(storedReason('550 <dana@example.com>: unknown')).toBe('550 <[address]>: unknown')
  })

  it('can be stored', () => {
    expect(storedReason(new Error('\0'))).not.toContain('\0')
  })
})
