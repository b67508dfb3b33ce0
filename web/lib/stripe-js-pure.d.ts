/**
 * The package has no `exports`, so that TypeScript does not find the types of its folder `pure`.
 * Only what the pages call.
 */
declare module '@stripe/stripe-js/pure' {
  /** @throws Error if the script cannot be loaded */
  export function loadStripe(publishableKey: string): Promise<object | null>
}
