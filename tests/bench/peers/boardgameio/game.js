// Tic-tac-toe for boardgame.io 0.50
const LINES=[[0,1,2],[3,4,5],[6,7,8],[0,3,6],[1,4,7],[2,5,8],[0,4,8],[2,4,6]];
const won=(c)=>LINES.some(([a,b,d])=>c[a]!==null&&c[a]===c[b]&&c[b]===c[d]);
const INVALID_MOVE='INVALID_MOVE';
exports.TTT={
  name:'ttt', minPlayers:2, maxPlayers:2,
  setup:()=>({cells:Array(9).fill(null)}),
  turn:{minMoves:1,maxMoves:1},
  moves:{ place:({G,playerID},i)=>{ if(G.cells[i]!==null) return INVALID_MOVE; G.cells[i]=playerID; } },
  endIf:({G,ctx})=>{ if(won(G.cells)) return {winner:ctx.currentPlayer}; if(G.cells.every(x=>x!==null)) return {draw:true}; },
  ai:{enumerate:(G)=>G.cells.map((c,i)=>c===null?{move:'place',args:[i]}:null).filter(Boolean)},
};
// same board but never ends: cells are overwritten, so a match can take any number of moves
exports.Endless={
  name:'endless', minPlayers:2, maxPlayers:2,
  setup:()=>({cells:Array(9).fill(null),n:0}),
  turn:{minMoves:1,maxMoves:1},
  moves:{ place:({G,playerID},i)=>{ if(i<0||i>8) return INVALID_MOVE; G.cells[i]=playerID; G.n++; } },
};
