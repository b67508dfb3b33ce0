import { z } from 'zod'

/**
 * An e-mail address as the product stores it: trimmed, lower case, at most 254 characters (RFC
 * 5321).
 */
export const emailAddress = z
  .string()
  .trim()
  .toLowerCase()
  .pipe(
    z
      .email('Enter a valid e-mail address.')
      .max(254, 'An e-mail address has 254 characters at most.'),
  )
