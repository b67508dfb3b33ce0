import { describe, expect, it } from '@jest/globals'
import { clientNetwork } from '#services/http/client-network'

describe('the network of a client', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::FFFF:c000:0207', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::6', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::192.0.2.7', '0:0:0:0::/64'],
    ['192.0.2.7:49152', '192.0.2.7'],
    ['[2001:db8:1:2::6]:443', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::6]', '2001:db8:1:2::/64'],
    ['[::ffff:192.0.2.7]:80', '192.0.2.7'],
    ['[fe80::1%eth0]:80', 'fe80:0:0:0::/64'],
  ])('of %s is %s', (address, network) => {
    expect(clientNetwork(address)).toBe(network)
  })

  it.each(['', 'unknown', '_hidden', '192.0.2', '192.0.2.7:x', '[]:1', '::1::', 'a'.repeat(9_000)])(
    'does not exist for the text %p',
    (text) => {
      expect(clientNetwork(text)).toBeNull()
    },
  )

  it('is unknown without an address', () => {
    expect(clientNetwork(undefined)).toBe('unknown')
  })
})
