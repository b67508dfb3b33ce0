import { describe } from '@jest/globals'
import { productWithBrowser } from '../support/product/product-with-browser.ts'
import { landingPage } from './public-site/landing-page.ts'
import { prerenderedPages } from './public-site/prerendered-pages.ts'
import { themes } from './public-site/themes.ts'

/* What needs no data of a customer. One product serves it all: each start of one takes seconds. */

const running = productWithBrowser()

describe('prerendered', () => prerenderedPages(running))
describe('the landing page', () => landingPage(running))
describe('the theme', () => themes(running))
