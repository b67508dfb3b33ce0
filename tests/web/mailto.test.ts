import { describe, expect, it } from '@jest/globals'
import { mailto } from '../../web/lib/mailto.ts'

describe('the link to an e-mail address', () => {
  it.each([
    ['dana@example.com', 'mailto:dana@example.com'],
    ['r&d@example.com', 'mailto:r%26d@example.com'],
    ['a?cc=eve#%2f@example.com', 'mailto:a%3Fcc%3Deve%23%252f@example.com'],
    ['[erased]', 'mailto:[erased]'],
  ])('of %s keeps every sign of the address', (address, link) => {
    expect(mailto(address)).toBe(link)
  })
})
