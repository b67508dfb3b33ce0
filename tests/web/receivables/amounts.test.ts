import { expect, it } from '@jest/globals'
import { readAmount } from '../../../web/features/receivables/shared/amounts.ts'

it.each([
  ['1240', 'usd', 124_000],
  ['1,240.50', 'usd', 124_050],
  ['$0.01', 'usd', 1],
  ['999,999,999.99', 'usd', 99_999_999_999],
  ['0.1', 'usd', 10],
  ['1240', 'jpy', 1_240],
  ['1.234', 'kwd', 1_234],
])('reads %s %s as %d minor units', (text, currency, minor) => {
  expect(readAmount(text, currency)).toEqual({ minor })
})

it.each([
  ['', 'usd', 'Enter an amount.'],
  ['0.00', 'usd', 'Enter an amount above zero.'],
  ['-5', 'usd', 'Enter an amount such as 1,240.00.'],
  ['1.240,00', 'usd', 'Enter an amount such as 1,240.00.'],
  ['1e3', 'usd', 'Enter an amount such as 1,240.00.'],
  ['1.005', 'usd', 'USD has 2 decimals at most.'],
  ['10.5', 'jpy', 'JPY has no decimals.'],
  ['99999999999', 'usd', 'The largest amount is $1,000,000,000.00.'],
])('refuses %s %s', (text, currency, problem) => {
  expect(readAmount(text, currency)).toEqual({ problem })
})
