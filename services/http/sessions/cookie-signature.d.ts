declare module 'cookie-signature' {
  /** The value without its signature. False if the signature is not valid. */
  export function unsign(signed: string, secret: string): string | false
}
