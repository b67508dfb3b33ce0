/** Of `createMailSide` and of the processes over its database: encrypts the personal fields. */
export const mailSideKey = Buffer.alloc(32, 7)
