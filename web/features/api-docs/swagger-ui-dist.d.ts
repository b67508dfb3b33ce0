/** The part of Swagger UI that the page uses. The package has no types. */
declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  interface SentRequest {
    headers: Record<string, string>
  }
  interface Options {
    readonly url: string
    readonly dom_id: string
    /** Null: no address is sent to a validator of another host. */
    readonly validatorUrl: null
    readonly deepLinking: boolean
    readonly docExpansion: 'list' | 'full' | 'none'
    /** The levels of the list of schemas that are open. -1: the list is not shown. */
    readonly defaultModelsExpandDepth: number
    readonly displayRequestDuration: boolean
    readonly requestInterceptor: (request: SentRequest) => SentRequest
  }
  const showSwaggerUi: (options: Options) => void
  export { showSwaggerUi as default }
}
