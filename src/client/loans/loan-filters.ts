import { mediaQuery } from '../catalogue/catalogue-data.ts'
import { categoriesQuery } from '../catalogue/list-queries.ts'
import { among, search } from '../ui/lists/filters.tsx'

// Filters that the home tables and the loans list share.

export const readerFilter = search('benefsearchname|like', 'Lecteur')
export const titleFilter = search('referencesearchname|like', 'Référence')
export const categoryFilter = among('category|in', 'Catégories', categoriesQuery)
export const mediumFilter = among('medium|in', 'Supports', mediaQuery)
