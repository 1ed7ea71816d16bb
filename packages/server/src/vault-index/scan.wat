;; Exact scan of int8 rows: out[i] = dot(row i, query) * scale[i] * queryScale.
;;
;; Rows lie one after the other, `stride` bytes each, a multiple of 64 with zeros behind the last number. The query is
;; widened to int16 beforehand (2 * stride bytes), so that a row's bytes are widened while loading and each step is one
;; multiply-add of eight numbers. Sums cannot overflow: 4096 * 127 * 127 < 2^31, spread over four lanes.
(module
  (import "env" "memory" (memory 1))
  (func (export "scan")
    (param $rows i32) (param $scales i32) (param $count i32) (param $stride i32)
    (param $query i32) (param $queryScale f32) (param $out i32)
    (local $rowEnd i32) (local $q i32) (local $outEnd i32)
    (local $a v128) (local $b v128)
    (if (i32.eqz (local.get $count)) (then (return)))
    (local.set $outEnd (i32.add (local.get $out) (i32.shl (local.get $count) (i32.const 2))))
    (loop $eachRow
      (local.set $a (v128.const i32x4 0 0 0 0))
      (local.set $b (v128.const i32x4 0 0 0 0))
      (local.set $q (local.get $query))
      (local.set $rowEnd (i32.add (local.get $rows) (local.get $stride)))
      (loop $each64
        (local.set $a (i32x4.add (local.get $a) (i32x4.dot_i16x8_s
          (v128.load8x8_s offset=0 (local.get $rows)) (v128.load offset=0 (local.get $q)))))
        (local.set $b (i32x4.add (local.get $b) (i32x4.dot_i16x8_s
          (v128.load8x8_s offset=8 (local.get $rows)) (v128.load offset=16 (local.get $q)))))
        (local.set $a (i32x4.add (local.get $a) (i32x4.dot_i16x8_s
          (v128.load8x8_s offset=16 (local.get $rows)) (v128.load offset=32 (local.get $q)))))
        (local.set $b (i32x4.add (local.get $b) (i32x4.dot_i16x8_s
          (v128.load8x8_s offset=24 (local.get $rows)) (v128.load offset=48 (local.get $q)))))
        (local.set $a (i32x4.add (local.get $a) (i32x4.dot_i16x8_s
          (v128.load8x8_s offset=32 (local.get $rows)) (v128.load offset=64 (local.get $q)))))
        (local.set $b (i32x4.add (local.get $b) (i32x4.dot_i16x8_s
          (v128.load8x8_s offset=40 (local.get $rows)) (v128.load offset=80 (local.get $q)))))
        (local.set $a (i32x4.add (local.get $a) (i32x4.dot_i16x8_s
          (v128.load8x8_s offset=48 (local.get $rows)) (v128.load offset=96 (local.get $q)))))
        (local.set $b (i32x4.add (local.get $b) (i32x4.dot_i16x8_s
          (v128.load8x8_s offset=56 (local.get $rows)) (v128.load offset=112 (local.get $q)))))
        (local.set $rows (i32.add (local.get $rows) (i32.const 64)))
        (local.set $q (i32.add (local.get $q) (i32.const 128)))
        (br_if $each64 (i32.lt_u (local.get $rows) (local.get $rowEnd))))
      (local.set $a (i32x4.add (local.get $a) (local.get $b)))
      (f32.store (local.get $out)
        (f32.mul (local.get $queryScale) (f32.mul (f32.load (local.get $scales))
          (f32.convert_i32_s (i32.add
            (i32.add (i32x4.extract_lane 0 (local.get $a)) (i32x4.extract_lane 1 (local.get $a)))
            (i32.add (i32x4.extract_lane 2 (local.get $a)) (i32x4.extract_lane 3 (local.get $a))))))))
      (local.set $scales (i32.add (local.get $scales) (i32.const 4)))
      (local.set $out (i32.add (local.get $out) (i32.const 4)))
      (br_if $eachRow (i32.lt_u (local.get $out) (local.get $outEnd))))))
