import showSwaggerUi from 'swagger-ui-dist/swagger-ui-es-bundle.js'
import 'swagger-ui-dist/swagger-ui.css'
import '../../ui/tokens.css'
import './api-docs.css'

/*
 * The page of the API documentation. The server sends it at /api/docs.
 */

showSwaggerUi({
  url: '/api/openapi.json',
  dom_id: '#api-docs',
  validatorUrl: null,
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  // The browser sends the session's cookie. Without this header every change is refused.
  requestInterceptor(request) {
    request.headers['X-Requested-With'] = 'fetch'
    return request
  },
})
