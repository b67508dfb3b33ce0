import { queryString } from '../../../api/receivables-api.ts'

export const invoicesPath = (parameters: object = {}) => {
  const query = queryString(parameters)
  return `/receivables/invoices${query === '' ? '' : `?${query}`}`
}
/** `act` opens the act's dialog. */
export const invoicePath = (receivableId: string, act?: string) =>
  `/receivables/invoices/${encodeURIComponent(receivableId)}${act === undefined ? '' : `?act=${act}`}`
export const importPath = '/receivables/import'
export const clientsPath = '/receivables/clients'
export const clientPath = (clientId: string, act?: string) =>
  `/receivables/clients/${encodeURIComponent(clientId)}${act === undefined ? '' : `?act=${act}`}`
