/** The page's style sheet: light or dark as the reader likes, one column on a phone. */

const light =
  '--bg:#faf8f5;--card:#fff;--ink:#1c2327;--soft:#55616a;--line:#e3ded6;--accent:#0c6b58;--on:#fff;--tint:#e8f2ee;--code:#f3efe8;--warn:#8f3d12;--glow:#f6d9b8';
const dark =
  '--bg:#13181b;--card:#1a2125;--ink:#edf1f2;--soft:#a5b2b9;--line:#2d373d;--accent:#62cdb2;--on:#08241d;--tint:#17302a;--code:#10161a;--warn:#f0a878;--glow:#2b3a44';

export const style = `
:root{color-scheme:light dark;${light}}
@media(prefers-color-scheme:dark){:root{${dark}}}
*{box-sizing:border-box}
html{scroll-behavior:smooth;scroll-padding-top:4.5rem}
@media(prefers-reduced-motion:reduce){html{scroll-behavior:auto}}
body{margin:0;background:var(--bg);color:var(--ink);font:1rem/1.6 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;-webkit-text-size-adjust:100%}
a{color:var(--accent);text-underline-offset:.18em}
code,pre,kbd{font-family:ui-monospace,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:.875em}
code{background:var(--code);border-radius:.3em;padding:.1em .35em;overflow-wrap:anywhere}
pre{margin:0;background:var(--code);border:1px solid var(--line);border-radius:.6rem;padding:.8rem 1rem;overflow-x:auto;white-space:pre-wrap;overflow-wrap:anywhere}
pre code{background:none;padding:0}
h1,h2,h3{line-height:1.2;text-wrap:balance;letter-spacing:-.015em;margin:0}
h1{font-size:clamp(2.2rem,5vw,3.3rem);font-weight:750;letter-spacing:-.03em}
h2{font-size:1.7rem;margin-bottom:.6rem}
h3{font-size:1.06rem}
p{margin:.5rem 0}
.wrap{max-width:70rem;margin:0 auto;padding:0 1.25rem}
.skip{position:absolute;left:-999px}
.skip:focus{left:1rem;top:1rem;z-index:9;background:var(--card);padding:.5rem 1rem;border-radius:.5rem}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px;border-radius:.3rem}
nav{position:sticky;top:0;z-index:5;background:color-mix(in srgb,var(--bg) 90%,transparent);backdrop-filter:blur(10px);border-bottom:1px solid var(--line)}
nav .wrap{display:flex;gap:1.3rem;align-items:center;min-height:3.4rem;overflow-x:auto}
nav a{color:var(--soft);text-decoration:none;white-space:nowrap;font-size:.93rem;padding:.3rem 0}
nav a:hover{color:var(--ink)}
nav .brand{color:var(--ink);font-weight:700;margin-right:auto;display:flex;gap:.5rem;align-items:center}
nav svg{width:1.5rem;height:1.5rem;color:var(--accent)}
header{padding:3.6rem 0 1rem}
header .wrap{display:grid;grid-template-columns:minmax(0,5fr) minmax(0,7fr);gap:2.8rem;align-items:center}
.lead{font-size:1.17rem;color:var(--soft);margin:1.1rem 0 1.5rem;max-width:34rem}
.button,button{font:inherit;font-weight:600;border:1px solid transparent;border-radius:.6rem;padding:.6rem 1.15rem;cursor:pointer;background:var(--accent);color:var(--on);text-decoration:none;display:inline-block}
button:hover,.button:hover{filter:brightness(1.08)}
button[disabled]{opacity:.6;cursor:progress}
.quiet{background:none;color:var(--accent);border-color:var(--line)}
.actions{display:flex;flex-wrap:wrap;gap:.7rem}
figure{margin:0}
.shot{border-radius:1rem;overflow:hidden;border:1px solid var(--line);background:var(--card);box-shadow:0 24px 48px -28px rgb(0 0 0/.4)}
.shot .url{display:block;font:500 .83rem/1.4 ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace;padding:.75rem 1rem;border-bottom:1px solid var(--line);color:var(--soft);overflow-wrap:anywhere}
.shot .url b{color:var(--accent);font-weight:600}
.shot img{display:block;width:100%;height:auto;background:linear-gradient(150deg,var(--tint),var(--glow))}
figcaption{font-size:.83rem;color:var(--soft);padding:.55rem 1rem;min-height:2.4rem}
section{padding:3rem 0 .6rem}
section>.wrap>p:first-of-type{color:var(--soft);max-width:46rem;margin-bottom:1.2rem}
.cards{display:grid;gap:1.1rem;grid-template-columns:repeat(auto-fit,minmax(min(100%,15rem),1fr))}
.card{background:var(--card);border:1px solid var(--line);border-radius:.9rem;padding:1.15rem 1.3rem}
.card p{color:var(--soft);margin:.35rem 0 0;font-size:.95rem}
.steps{counter-reset:s}
.steps .card h3::before{counter-increment:s;content:counter(s);display:inline-grid;place-items:center;width:1.6rem;height:1.6rem;margin-right:.6rem;border-radius:50%;background:var(--tint);color:var(--accent);font-size:.85rem}
.pair{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:1.1rem;margin-top:1.1rem}
.play{display:grid;grid-template-columns:minmax(0,22rem) minmax(0,1fr);gap:1.4rem;align-items:start}
form{display:grid;gap:.85rem}
fieldset{border:0;margin:0;padding:0;display:grid;gap:.85rem;min-width:0}
fieldset[disabled]{display:none}
legend{font-weight:600;font-size:.92rem;padding:0;margin-bottom:.4rem}
.two{display:grid;grid-template-columns:1fr 1fr;gap:.8rem}
label{display:grid;gap:.25rem;font-size:.9rem;font-weight:600}
label small,.hint{font-weight:400;color:var(--soft);font-size:.82rem}
input,select{font:inherit;font-weight:400;color:inherit;background:var(--bg);border:1px solid color-mix(in srgb,var(--soft) 60%,transparent);border-radius:.5rem;padding:.5rem .7rem;width:100%;min-width:0}
input:user-invalid{border-color:var(--warn)}
.play>.card{position:sticky;top:4.4rem}
.stagearea{display:grid;gap:1rem;min-width:0}
.canvas{min-height:19rem;display:grid;place-items:center;overflow:hidden;padding:0;background:linear-gradient(150deg,var(--tint),transparent 70%),var(--card)}
.canvas img{display:block;max-width:100%;max-height:34rem;width:auto;height:auto}
.canvas p{max-width:22rem;text-align:center;padding:1.5rem}
#state{font-weight:600;margin:0;min-height:1.6rem}
#state.bad{color:var(--warn)}
dl{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:.3rem 1rem;margin:0;font-size:.87rem}
dt{color:var(--soft)}
dd{margin:0;overflow-wrap:anywhere;font-family:ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:.83rem}
.snippet{position:relative}
.snippet h3{font-size:.86rem;color:var(--soft);font-weight:600;margin:0 0 .3rem;display:flex;justify-content:space-between;align-items:end}
.snippet button{padding:.12rem .6rem;font-size:.8rem;font-weight:500}
.snippets{display:grid;gap:.9rem;grid-template-columns:repeat(auto-fit,minmax(min(100%,21rem),1fr))}
.scroll{overflow-x:auto;border:1px solid var(--line);border-radius:.9rem;background:var(--card)}
table{border-collapse:collapse;width:100%;font-size:.92rem}
th,td{text-align:left;vertical-align:top;padding:.6rem .95rem;border-bottom:1px solid var(--line)}
tbody tr:last-child>*{border-bottom:0}
thead th{font-size:.8rem;color:var(--soft);font-weight:600}
tbody th{font-weight:600;white-space:nowrap}
tr:target{background:var(--tint)}
td.n{white-space:nowrap;font-variant-numeric:tabular-nums}
details{border:1px solid var(--line);border-radius:.9rem;background:var(--card);margin:.7rem 0}
summary{cursor:pointer;padding:.85rem 1.15rem;display:flex;flex-wrap:wrap;gap:.2rem .8rem;align-items:baseline}
summary::marker{content:""}
summary code{font-weight:600}
summary span{color:var(--soft);font-size:.93rem}
.verb{font:700 .75rem ui-monospace,Menlo,monospace;color:var(--accent);background:var(--tint);border-radius:.35rem;padding:.2rem .5rem}
details>div{padding:0 1.15rem 1.1rem;display:grid;gap:.8rem}
details .scroll{border-radius:.6rem}
.headerlist{font-size:.82rem;color:var(--soft)}
footer{margin-top:3.5rem;border-top:1px solid var(--line);padding:1.6rem 0 2.6rem;color:var(--soft);font-size:.9rem}
footer .wrap{display:flex;gap:1.3rem;flex-wrap:wrap}
[hidden]{display:none!important}
@media(max-width:56rem){.play>.card{position:static}header{padding-top:2.2rem}header .wrap,.play{grid-template-columns:minmax(0,1fr);gap:1.6rem}}
@media(max-width:44rem){table{min-width:44rem}details table{min-width:30rem}}
@media(max-width:34rem){.pair{grid-template-columns:minmax(0,1fr)}dl{grid-template-columns:minmax(0,1fr);gap:0 0}dd{margin-bottom:.45rem}th,td{padding:.5rem .7rem}section{padding-top:2.3rem}}
`
  .trim()
  .replace(/\n/g, '');
