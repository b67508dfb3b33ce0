declare module 'cookie-signature' {
  /** The value with its signature. */
  export function sign(value: string, secret: string): string
  /** The value without its signature. False if the signature is not valid. */
  export function unsign(signed: string, secret: string): string | false
}
