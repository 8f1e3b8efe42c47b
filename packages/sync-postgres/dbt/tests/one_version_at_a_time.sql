-- Versions of one contract that hold at the same time.
select one.contract_key, other.contract_key as other_key
from {{ ref('dim_contract') }} as one
join {{ ref('dim_contract') }} as other
    on other.account = one.account and other.contract_id = one.contract_id and other.version > one.version
where one.valid_to is null or one.valid_to > other.valid_from
