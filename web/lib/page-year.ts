import { yearPlaceholder } from '#contracts/pages'

/**
 * The year of the product's clock when the server sent the page, whatever the visitor's clock says.
 * The build writes the placeholder, which the server replaces in the text and in the attribute, so
 * that the first render in the browser has the same text.
 */
export function pageYear(): string {
  if (typeof document === 'undefined') return yearPlaceholder
  const stated = document.documentElement.dataset['year']
  // Only the development server of vite sends pages with the placeholder.
  return stated === undefined || stated === yearPlaceholder
    ? String(new Date().getUTCFullYear())
    : stated
}
