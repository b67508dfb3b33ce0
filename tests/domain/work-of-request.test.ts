import { describe, expect, it } from '@jest/globals'
import { createWorkOf } from '#services/http/admission/work-of-request'
import { eventStream } from '#services/http/event-stream'

const workOf = createWorkOf([
  { method: 'post', path: '/api/sign-up', work: 'sign-in' },
  { method: 'get', path: '/api/admin/:list/export', work: 'exports' },
  { method: 'get', path: '/api/admin/users', access: 'admin' },
  { method: 'get', path: '/api/admin/live', access: 'admin', answer: eventStream('Changes') },
])

describe('the class of a request', () => {
  it.each([
    ['POST', '/api/sign-up', 'sign-in'],
    ['POST', '/API/Sign-Up/?next=/api/admin/live', 'sign-in'],
    ['GET', '/api/admin/users/export', 'exports'],
    ['HEAD', '/api/admin/users', 'admin'],
    ['OPTIONS', '/api/admin/users', 'customer'],
    ['GET', '/api/unknown', 'customer'],
    ['GET', '/api/admin/live', 'admin'],
    ['GET', '/pricing', null],
    ['OPTIONS', '*', null],
  ] as const)('of %s %s follows from its declaration: %s', (method, url, work) => {
    expect(workOf(method, url)?.work ?? null).toBe(work)
  })

  // Express reads backslashes as slashes if the address has a fragment.
  it.each(['/api/sign-up#', '/api\\sign-up#x', '/api/sign-up#?a'])(
    'of %s is that of the route which handles it',
    (url) => {
      expect(workOf('POST', url)?.work).toBe('sign-in')
    },
  )
})

it('a call is the same for every way to write its address, and another for each method', () => {
  const call = (method: string, url: string) => workOf(method, url)?.call
  expect(call('HEAD', '/API/admin/payments/Export/?x=1')).toBe(
    call('GET', '/api/admin/users/export'),
  )
  expect(call('POST', '/api/admin/users')).not.toBe(call('GET', '/api/admin/users'))
  expect(workOf('GET', '/api/admin/live')?.opensStream).toBe(true)
  expect(workOf('GET', '/api/admin/users')?.opensStream).toBe(false)
})
