import { siteContent as original } from '#contracts/brand/site-content'
import { withOtherTexts } from './other-texts.ts'

export const siteContent = withOtherTexts(original)
