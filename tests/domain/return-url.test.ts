import { expect, it } from '@jest/globals'
import { returnUrlOf } from '#services/billing/return-url'

const publicUrl = 'http://localhost:3000'

it.each([
  ['/purchases', 'http://localhost:3000/purchases'],
  ['/purchases?tab=plan#top', 'http://localhost:3000/purchases?tab=plan#top'],
  ['/', 'http://localhost:3000/'],
  ['/..//evil.example', 'http://localhost:3000//evil.example'],
  ['/@evil.example', 'http://localhost:3000/@evil.example'],
  ['http://localhost:3000/purchases', 'http://localhost:3000/purchases'],
  ['http://localhost:3000', 'http://localhost:3000/'],
  ['HTTP://LOCALHOST:3000/purchases', 'http://localhost:3000/purchases'],
])('the return URL %j leads to %s', (given, url) => {
  expect(returnUrlOf(given, publicUrl)).toBe(url)
})

it('a return URL may name the default port of the origin', () => {
  expect(returnUrlOf('https://pay.example:443/purchases', 'https://pay.example')).toBe(
    'https://pay.example/purchases',
  )
})

it.each([
  'https://pay.example.evil.example',
  'https://pay.example@evil.example/',
  'https://pay.example:444/',
  'http://pay.example/',
  'https://pay.example./',
])('the return URL %j is refused if the origin is https://pay.example', (given) => {
  expect(returnUrlOf(given, 'https://pay.example')).toBeNull()
})

it.each([
  '',
  'purchases',
  './purchases',
  '?tab=plan',
  '#top',
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/purchases\\..',
  'https://evil.example',
  'http://localhost:3000.evil.example',
  'http://localhost:3000@evil.example',
  'http://evil.example#http://localhost:3000/',
  'http://localhost:3001/purchases',
  'https://localhost:3000/purchases',
  'http://127.0.0.1:3000/purchases',
  'http://localhost.:3000/purchases',
  'http://dana@localhost:3000/purchases',
  'http://:secret@localhost:3000/purchases',
  'http:purchases',
  'http:/purchases',
  'http:localhost:3000',
  'http://',
  'http://[',
  'http://localhost:99999/',
  'javascript:alert(1)',
  'JavaScript:alert(1)',
  'data:text/html,a',
  'blob:http://localhost:3000/a',
  'file:///etc/passwd',
  'ws://localhost:3000/',
  ' /purchases',
  '/purchases ',
  '/pur chases',
  '\t/purchases',
  '/\t/evil.example',
  '/\n/evil.example',
  '/\r/evil.example',
  'java\nscript:alert(1)',
  'http://localhost:3000\t@evil.example',
  '/purchases\0',
  '/purchases\u0001',
  '/purchases\u007f',
  '/purchases\u0085',
  '/purchases\u00a0',
  '/purchases\u2028',
  '/purchases\ufeff',
])('the return URL %j is refused', (given) => {
  expect(returnUrlOf(given, publicUrl)).toBeNull()
})
