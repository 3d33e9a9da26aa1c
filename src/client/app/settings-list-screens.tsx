import { categories as categoryList } from '../../contract/categories.ts'
import { labelPrinters } from '../../contract/label-lists.ts'
import { locations as locationList } from '../../contract/locations.ts'
import { ResourceScreen } from '../ui/lists/resource-screen.tsx'

// The settings' lists travel together: those that look as they are described, and those with a screen of their own.

export const categories = () => <ResourceScreen of={categoryList} />
export const locations = () => <ResourceScreen of={locationList} />
export const printers = () => <ResourceScreen of={labelPrinters} />

export { KeywordListScreen as keywords } from '../catalogue/keyword-list-screen.tsx'
export { LabelSheetScreen as sheets } from '../labels/label-sheet-screen.tsx'
export { DelayReasonScreen as delay, FreeReasonScreen as free } from '../settings/reason-list-screens.tsx'
