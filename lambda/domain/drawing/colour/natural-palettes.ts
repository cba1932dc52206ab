/** Palettes of the natural looks, by the hour. */
import type { Time } from '../words/mood';
import { type Palette, palette } from './palette';

type Choices = readonly [Palette, ...Palette[]];

/** Several lights for each hour; the seed picks one. */
export const NATURAL_PALETTES: Readonly<Record<Time, Choices>> = {
  dawn: [
    palette(
      ['#4f74ad', '#9db1d6', '#efcbc9', '#fde8d3'],
      ['#fff4e0', '#ffe0bd', '#f0d6d3'],
      ['#6f76a6', 0.34],
      ['#3c4577', '#fdebe2', '#ffb38a'],
    ),
    palette(
      ['#3f5b97', '#8f9fce', '#e6b4c3', '#ffdcc4'],
      ['#fff0dc', '#ffd1b3', '#e9c3cd'],
      ['#6a5f96', 0.38],
      ['#3a3568', '#fde0dc', '#ff9f8f'],
    ),
    palette(
      ['#4a8aa6', '#97c3c9', '#dfe3cf', '#fdeccb'],
      ['#fffae6', '#fff0c4', '#dde6d6'],
      ['#5f8a94', 0.3],
      ['#2c5260', '#fdf6e6', '#ffc27a'],
    ),
  ],
  day: [
    palette(
      ['#2d7cc4', '#68aee2', '#aed8f1', '#e6f4f7'],
      ['#fffbe8', '#fff6d2', '#cbe3ef'],
      ['#a9cfe6', 0.1],
      ['#21456b', '#ffffff', '#ff8a5c'],
    ),
    palette(
      ['#2f8fae', '#74c1d2', '#c0e4e2', '#f6f3df'],
      ['#fffdea', '#fff3c4', '#d2e8e3'],
      ['#a9dcd8', 0.1],
      ['#1d4f5e', '#ffffff', '#ffb347'],
    ),
    palette(
      ['#5488cc', '#8fb8e6', '#cbe0f2', '#fbf1e2'],
      ['#fffaf0', '#ffeccc', '#d7e2ee'],
      ['#b7c4e6', 0.12],
      ['#2f4270', '#ffffff', '#f2738c'],
    ),
  ],
  golden: [
    palette(
      ['#5c8db6', '#a6bfc4', '#f0d39f', '#ffe6b0'],
      ['#fff8da', '#ffe3a0', '#f2d7a9'],
      ['#d48a48', 0.28],
      ['#5a3d4a', '#fff0d2', '#ff8a4c'],
    ),
    palette(
      ['#7a9fb4', '#c4ccba', '#f5d692', '#fff0c8'],
      ['#fffbe2', '#ffecb0', '#f0dcb0'],
      ['#c99a4e', 0.26],
      ['#54483f', '#fff6e0', '#e8654f'],
    ),
    palette(
      ['#6a86ad', '#b8b1bd', '#f4c49a', '#ffdfb4'],
      ['#fff3d8', '#ffd39c', '#f0c8a6'],
      ['#c9765a', 0.3],
      ['#4f3552', '#ffeadb', '#ff7d5c'],
    ),
  ],
  sunset: [
    palette(
      ['#2a2c5c', '#85487b', '#e8775f', '#ffc078'],
      ['#fff0c4', '#ffb46e', '#ef9c76'],
      ['#6b3560', 0.46],
      ['#281d44', '#f59a80', '#ffd27a'],
    ),
    palette(
      ['#324070', '#ab608f', '#f4977a', '#ffd8a0'],
      ['#fff4d4', '#ffc78e', '#f2ac92'],
      ['#6d4374', 0.44],
      ['#2c2450', '#f9b8a4', '#ffe09a'],
    ),
    palette(
      ['#45275a', '#bb4b63', '#f58852', '#ffcd74'],
      ['#fff2c0', '#ffbe62', '#f3a064'],
      ['#7a2f4f', 0.46],
      ['#331940', '#fba27c', '#ffe08a'],
    ),
    palette(
      ['#1f4a6e', '#5f8598', '#e9a48c', '#ffdc9c'],
      ['#fff3cc', '#ffca86', '#e3b391'],
      ['#7a5766', 0.38],
      ['#1d3048', '#f6cfae', '#ffb56a'],
    ),
  ],
  dusk: [
    palette(
      ['#1c2952', '#43507e', '#957ca2', '#e1a79f'],
      ['#fff0e4', '#f3b9a8', '#9d87a6'],
      ['#303b6a', 0.6],
      ['#151b3c', '#a58bb0', '#ffcf8a'],
      true,
    ),
    palette(
      ['#13274a', '#2d587d', '#7a9dad', '#efc8a3'],
      ['#fff2dc', '#f2cfa6', '#86a0ab'],
      ['#234563', 0.58],
      ['#0d2138', '#9fb4bb', '#ffc777'],
      true,
    ),
    palette(
      ['#2a1f4d', '#5b3f7a', '#b0688f', '#f0a48c'],
      ['#fff0e0', '#f5ad96', '#a86f95'],
      ['#43305f', 0.6],
      ['#1d1538', '#b57fa6', '#ffd08a'],
      true,
    ),
  ],
  night: [
    palette(
      ['#060c22', '#0e1c42', '#1f3667', '#3d5a8a'],
      ['#f4f6ff', '#9fb6e6', '#32507f'],
      ['#0f2049', 0.72],
      ['#060c20', '#33497a', '#ffd58a'],
      true,
    ),
    palette(
      ['#090d29', '#191d4f', '#383070', '#664b8a'],
      ['#fbf4ff', '#b49be0', '#4a4180'],
      ['#181748', 0.72],
      ['#080a24', '#4a4484', '#ffcf8f'],
      true,
    ),
    palette(
      ['#03131e', '#09283a', '#14505f', '#37807f'],
      ['#f0fffb', '#8fd8cf', '#256670'],
      ['#08303e', 0.7],
      ['#03121c', '#2d6a74', '#ffd98f'],
      true,
    ),
  ],
};
