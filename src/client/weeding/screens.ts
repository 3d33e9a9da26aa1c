/** One file for all of them: the cart is opened from the list. */
export { default as list } from './weeding-list-screen.tsx'
export { default as cart } from './cart-screen.tsx'
export { default as past } from './past-screen.tsx'
