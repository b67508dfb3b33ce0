import { z } from 'zod'

/** An e-mail address as we keep it: trimmed, lower case, 254 characters at most (RFC 5321). */
export const emailAddress = z
  .string()
  .trim()
  .toLowerCase()
  .pipe(
    z
      .email('Enter a valid e-mail address.')
      .max(254, 'An e-mail address has 254 characters at most.'),
  )
