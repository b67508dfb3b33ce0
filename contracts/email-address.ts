import { z } from 'zod'

/**
 * An e-mail address as the product stores it: trimmed, lower case, at most 254 characters (RFC
 * 5321).
 *
 * The check comes before the change to lower case: the lower case of the Kelvin sign (U+212A) is
 * the letter k, so an address that looks like another one would become it.
 */
export const emailAddress = z
  .string()
  .trim()
  .pipe(
    z
      .email('Enter a valid e-mail address.')
      .max(254, 'An e-mail address has 254 characters at most.')
      .toLowerCase(),
  )
