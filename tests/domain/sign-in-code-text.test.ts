import { describe, expect, it } from '@jest/globals'
import { verifyOtpRequest } from '#contracts/auth'
import { codeIn } from '#contracts/sign-in-code'

describe('the code in a pasted text', () => {
  it.each([
    ['123456', '123456'],
    [' 123456\r\n', '123456'],
    ['123 456', '123456'],
    ['12 34 56', '123456'],
    ['123-456', '123456'],
    ['123\u2011456', '123456'],
    ['123 \u2013 456', '123456'],
    ['1 2 3 4 5 6', '123456'],
    ['\uff11\uff12\uff13\uff14\uff15\uff16', '123456'],
    ['\u0661\u0662\u0663\u0664\u0665\u0666', '123456'],
    ['\u06f1\u06f2\u06f3\u06f4\u06f5\u06f6', '123456'],
    ['\u0967\u0968\u0969\u096a\u096b\u096c', '123456'],
    ['\u{1d7cf}\u{1d7d0}\u{1d7d1}\u{1d7d2}\u{1d7d3}\u{1d7d4}', '123456'],
    ['123\u200b456', '123456'],
    ['Your Agile code is 123456. It is valid for 10 minutes', '123456'],
    ['Order 2026: 123 456', '123456'],
    ['123456 is your code. Do not share 123456.', '123456'],
    ['Code: 123456\n\n+1 (206) 555-0142', '123456'],
    ['2026 123456', '123456'],
    ['123456-10', '123456'],
  ])('of %j is %s', (text, code) => {
    expect(codeIn(text)).toBe(code)
  })

  it.each([
    '',
    'no digits',
    '12345',
    '1234567',
    '2026 123 456',
    '123456 or 654321',
    '12345678901234',
    'Call 206 555 0142',
    '12.34.56',
  ])('of %j is none', (text) => {
    expect(codeIn(text)).toBeNull()
  })
})

describe('the code that the server receives', () => {
  const received = (otp: string) => verifyOtpRequest.safeParse({ userId: 'user_1', otp }).data?.otp

  it.each(['123456', ' 123456 ', '123 456', '123-456', '\uff11\uff12\uff13456', '123\u00a0456'])(
    'as %j is read as 123456',
    (otp) => expect(received(otp)).toBe('123456'),
  )

  it.each(['', ' ', '1234567', 'Your code is 123456'])('as %j is refused', (otp) =>
    expect(received(otp)).toBeUndefined(),
  )
})
