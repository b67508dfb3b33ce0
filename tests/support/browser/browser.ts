export { launchBrowser } from '../../../scripts/browser/launch-browser.ts'
