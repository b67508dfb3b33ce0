import { z } from 'zod'
import { longestAddress, readAddress } from './address-rules.ts'

/**
 * An e-mail address as the product stores it: lower case, with the domain in its ASCII form. See
 * `readAddress`.
 */
export const emailAddress = z
  .string()
  .trim()
  .superRefine((text, check) => {
    const read = readAddress(text)
    if ('problem' in read) check.addIssue({ code: 'custom', message: read.problem })
  })
  .overwrite((text) => {
    const read = readAddress(text)
    return 'address' in read ? read.address : text
  })
  .meta({ maxLength: longestAddress, format: 'email' })
